"""The envelope of Web Push: messages that only one browser can read (RFC 8291), signed by this server (RFC 8292).

The push service that a browser has chosen carries them. It learns to which browser a message goes and when; the text is
encrypted with a key that only the browser has, and always of the same length.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
SCALAR, POINT, SECRET, SALT = 32, 65, 16, 16  # bytes of a private key, a public key, a browser's secret, a salt
RECORD = 4096  # bytes; a message is one record
END = b"\x02"  # after the last record's text, before its padding
VALID = 12 * 3600  # seconds for which a signature is good; at most a day
TOPIC = 32  # characters


def decode(text: str) -> bytes:
    """Bytes of base64 as it stands in addresses, without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(data: bytes) -> str:
    """Bytes as such base64."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def new_key() -> str:
    """A private key for a server."""
    return encode(ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(SCALAR, "big"))


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """The private key in a text; ValueError if it is none."""
    data = decode(text)
    if len(data) != SCALAR:
        raise ValueError(f"expected {SCALAR} bytes in base64, got {len(data)}")
    return ec.derive_private_key(int.from_bytes(data, "big"), CURVE)


def public_key(data: bytes) -> ec.EllipticCurvePublicKey:
    """The public key in bytes; ValueError if they are no point of the curve."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public key that belongs to a private one."""
    data: bytes = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return data


def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """A key from a secret (RFC 5869)."""
    data: bytes = HKDF(hashes.SHA256(), length, salt, info).derive(secret)
    return data


def encrypt(
    message: bytes,
    receiver: bytes,
    auth: bytes,
    room: int = 0,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
) -> bytes:
    """A message for the browser with this public key and secret (RFC 8291); shorter ones are filled up to `room`.

    Every message has a key and a salt of its own; tests give those of the standard's example.
    """
    own, salt = sender or ec.generate_private_key(CURVE), salt or secrets.token_bytes(SALT)
    public = point_of(own)
    shared = own.exchange(ec.ECDH(), public_key(receiver))
    secret = derived(auth, shared, b"WebPush: info\0" + receiver + public, 32)
    key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    filled = (message + END).ljust(room + len(END), b"\0")
    head = salt + RECORD.to_bytes(4, "big") + bytes([POINT]) + public
    return head + bytes(AESGCM(key).encrypt(nonce, filled, None))


@dataclass(frozen=True)
class Signer:
    """The server towards push services: its key, and whom they may write to."""

    key: ec.EllipticCurvePrivateKey
    contact: str  # mailto: or https:

    @property
    def public(self) -> str:
        """The public key, which a browser wants to know when it subscribes."""
        return encode(point_of(self.key))

    def authorization(self, origin: str, now: int) -> str:
        """The header with which a push service takes a message (RFC 8292); `now` in seconds."""
        head = {"typ": "JWT", "alg": "ES256"}
        claims = {"aud": origin, "exp": now + VALID, "sub": self.contact}
        token = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims))
        numbers = decode_dss_signature(self.key.sign(token.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b"".join(number.to_bytes(SCALAR, "big") for number in numbers)
        return f"vapid t={token}.{encode(signature)}, k={self.public}"

    def topic(self, table: str) -> str:
        """A word that stands for a table: of several messages on their way only the last arrives. It tells nothing."""
        scalar = self.key.private_numbers().private_value.to_bytes(SCALAR, "big")
        return encode(hmac.digest(scalar, table.encode(), hashlib.sha256))[:TOPIC]
