"""Web Push: what a push service gets when somebody is away whose turn begins. No network: the service is here."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from bastide.cli.admin import command
from bastide.errors import BastideError
from bastide.server.app import create_app
from bastide.server.notify import calls
from bastide.server.settings import Settings
from tests.server.client import ENTROPY, PATIENCE, House

pytest.importorskip("cryptography", reason="Web Push needs the extra `push`")

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from bastide.server.notify.push import (
    CURVE,
    decode,
    derived,
    encode,
    encrypt,
    new_key,
    point_of,
    private_key,
    public_key,
)

CONTACT = "mailto:host@example.org"
ENDPOINT = "https://push.example.net/send/abc"
EXAMPLE_TEXT = b"When I grow up, I want to be a watermelon"
EXAMPLE = {  # RFC 8291, appendix A
    "salt": "DGv6ra1nlYgDCS1FRnbzlw",
    "sender": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    "receiver": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "body": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6"
    "PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
}


class PushService:
    """The service of a browser's maker, with the browser behind it, which can read what comes."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(CURVE)
        self.auth = b"sixteen letters!"
        self.status = 201
        self.got: list[tuple[str, Mapping[str, str], bytes]] = []

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        self.got.append((endpoint, headers, body))
        return self.status

    @property
    def subscription(self) -> dict[str, str]:
        return {"endpoint": ENDPOINT, "p256dh": encode(point_of(self.key)), "auth": encode(self.auth)}

    def read(self, body: bytes) -> Any:
        """The message, as a browser decrypts it."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, text = body[21 : 21 + length], body[21 + length :]
        assert len(text) <= size
        shared = self.key.exchange(ec.ECDH(), public_key(sender))
        secret = derived(self.auth, shared, b"WebPush: info\0" + point_of(self.key) + sender, 32)
        key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, text, None).rstrip(b"\0")
        assert padded.endswith(b"\x02")
        return json.loads(padded[:-1])


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> PushService:
    made = PushService()
    monkeypatch.setattr(calls, "send", made.post)
    return made


@pytest.fixture
def house(database: str, service: PushService) -> Iterator[House]:
    settings = Settings(database=database, push_key=new_key(), push_contact=CONTACT)
    with TestClient(create_app(settings)) as client:
        yield House(client)


def joined(house: House, **more: Any) -> tuple[str, str, str, dict[str, str]]:
    """A table of two browsers: its name, the tokens of both seats, the cookie of the guest."""
    made = house.make("human", "open", title="On Sunday", **more)
    seat = house.post(f"/api/tables/{made['table']}/join", invite=made["invite"])
    return made["table"], made["seats"][0]["token"], seat.json()["token"], dict(house.client.cookies)


def subscribe(house: House, cookie: dict[str, str], subscription: dict[str, str]) -> int:
    house.client.cookies.clear()
    house.client.cookies.update(cookie)
    return house.client.post("/api/push", json=subscription).status_code


def had_a_turn(house: House, table: str, tokens: tuple[str, str], guest_stays: bool = False) -> None:
    """The game begins and the host has had a turn; the guest has gone, or stays till then."""
    with house.at(table, tokens[0]) as host:
        with house.at(table, tokens[1]) as guest:
            host.do("ready", entropy=ENTROPY)
            guest.do("ready", entropy=ENTROPY)
            host.seen(guest.state["seq"])
            if guest_stays:
                host.play_first()
                host.play("pass")
        if not guest_stays:
            host.play_first()
            host.play("pass")


def turn(house: House, table: str, token: str) -> None:
    """Somebody comes, plays and goes."""
    with house.at(table, token) as player:
        player.play_first()
        player.play("pass")


def called(service: PushService, count: int) -> None:
    """Waits for messages."""
    end = monotonic() + PATIENCE
    while len(service.got) < count and monotonic() < end:
        sleep(0.02)
    assert len(service.got) == count


def test_the_example_of_the_standard() -> None:
    body = encrypt(
        EXAMPLE_TEXT,
        decode(EXAMPLE["receiver"]),
        decode(EXAMPLE["auth"]),
        sender=private_key(EXAMPLE["sender"]),
        salt=decode(EXAMPLE["salt"]),
    )
    assert encode(body) == EXAMPLE["body"]


def test_who_is_away_is_called_with_the_title_and_the_link_alone(house: House, service: PushService) -> None:
    table, host, guest, cookie = joined(house)
    assert subscribe(house, cookie, service.subscription) == 204
    had_a_turn(house, table, (host, guest))
    called(service, 1)
    endpoint, headers, body = service.got[0]
    assert endpoint == ENDPOINT
    assert service.read(body) == {"title": "On Sunday", "link": f"/table/{table}"}
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) == 7 * 24 * 3600
    assert len(body) == 86 + calls.ROOM + 1 + 16  # head, text and padding, its end, tag: as long as any other
    sent = " ".join(headers.values()) + repr(body)
    assert not [word for word in (table, "Sunday", host, guest) if word in sent]


def test_the_message_is_signed_for_this_push_service(house: House, service: PushService) -> None:
    table, host, guest, cookie = joined(house)
    subscribe(house, cookie, service.subscription)
    had_a_turn(house, table, (host, guest))
    called(service, 1)
    found = re.fullmatch(r"vapid t=([\w.-]+), k=([\w-]+)", service.got[0][1]["Authorization"])
    assert found
    token, key = found.groups()
    assert key == house.get("/api/push").json()["key"]
    signed, _, signature = token.rpartition(".")
    r, s = (int.from_bytes(decode(signature)[half : half + 32], "big") for half in (0, 32))
    public_key(decode(key)).verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = (json.loads(decode(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert (claims["aud"], claims["sub"]) == ("https://push.example.net", CONTACT)
    assert 0 < claims["exp"] - time() < 24 * 3600


def test_who_is_there_or_did_not_ask_is_not_called(house: House, service: PushService) -> None:
    table, host, guest, cookie = joined(house)
    had_a_turn(house, table, (host, guest))  # did not ask
    table, host, guest, cookie = joined(house)
    subscribe(house, cookie, service.subscription)
    had_a_turn(house, table, (host, guest), guest_stays=True)
    sleep(0.3)
    assert service.got == []


def test_who_does_not_want_it_any_more_is_not_called(house: House, service: PushService) -> None:
    table, host, guest, cookie = joined(house)
    subscribe(house, cookie, service.subscription)
    had_a_turn(house, table, (host, guest), guest_stays=True)
    house.client.cookies.clear()
    house.client.cookies.update(cookie)
    assert house.client.delete("/api/push").status_code == 204
    for token in (guest, host):
        turn(house, table, token)
    sleep(0.3)
    assert service.got == []


def test_a_browser_that_has_gone_is_forgotten(house: House, service: PushService) -> None:
    service.status = 410
    table, host, guest, cookie = joined(house)
    subscribe(house, cookie, service.subscription)
    had_a_turn(house, table, (host, guest))
    called(service, 1)
    for token in (guest, host):
        turn(house, table, token)
    sleep(0.3)
    assert len(service.got) == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/x",
        "https://127.0.0.1/x",
        "https://10.0.0.1/x",
        "https://localhost/x",
        "https://[::1]/x",
        "https://push.example.net:8443/x",
        "https://me@push.example.net/x",
        "https://push.example.net/x y",
        "https://push.example.net/x\r\nHost: other",
        "ftp://push.example.net/x",
    ],
)
def test_addresses_that_are_no_push_service_are_refused(house: House, service: PushService, endpoint: str) -> None:
    *_, cookie = joined(house)
    assert subscribe(house, cookie, {**service.subscription, "endpoint": endpoint}) == 400


def test_keys_that_are_no_keys_and_strangers_are_refused(house: House, service: PushService) -> None:
    *_, cookie = joined(house)
    assert subscribe(house, cookie, {**service.subscription, "p256dh": "A" * 87}) == 400
    assert subscribe(house, cookie, {**service.subscription, "auth": "short"}) == 400
    assert subscribe(house, {}, service.subscription) == 401


PRIVATE = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "224.0.0.1", "fd00::1", "fec0::1", "ff02::1", "::1",
           "::ffff:192.168.0.1", "::7f00:1", "64:ff9b::a9fe:a9fe", "2002:a00:1::"]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_leads_into_the_own_network_is_not_called(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    async def looked_up(*_: Any, **__: Any) -> list[Any]:
        return [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", (address, 443))]

    async def called() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", looked_up, raising=False)
        await calls.public_address("push.example.net")

    with pytest.raises(ValueError, match="not on the public network"):
        asyncio.run(called())


def test_a_name_on_the_public_network_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    async def looked_up(*_: Any, **__: Any) -> list[Any]:
        public = ("93.184.216.34", "2606:4700::1111", "64:ff9b::808:808")
        return [(0, 0, 0, "", (address, 443)) for address in public]

    async def called() -> str:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", looked_up, raising=False)
        return await calls.public_address("push.example.net")

    assert asyncio.run(called()) == "93.184.216.34"


def test_a_message_goes_over_tls_to_a_server_that_is_who_it_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate = certificate_of("push.example.net", tmp_path)
    got: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        got.append(head + await reader.readexactly(int(re.search(rb"Content-Length: (\d+)", head)[1])))  # type: ignore[index]
        writer.write(b"HTTP/1.1 201 Created\r\n\r\n")
        writer.close()

    async def here(_: str) -> str:
        return "127.0.0.1"

    async def sent() -> int:
        listening = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        listening.load_cert_chain(certificate)
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=listening)
        monkeypatch.setattr(calls, "public_address", here)
        monkeypatch.setattr(calls, "PORT", server.sockets[0].getsockname()[1])
        async with server:
            with pytest.raises(ssl.SSLError):
                await calls.send(ENDPOINT, {}, b"secret")  # nobody trusts its certificate
            monkeypatch.setattr(calls, "tls", lambda: ssl.create_default_context(cafile=certificate))
            with pytest.raises(ssl.SSLError):
                await calls.send("https://other.example.net/x", {}, b"secret")
            return await calls.send(ENDPOINT, {"TTL": "60"}, b"secret")

    assert asyncio.run(sent()) == 201
    assert len(got) == 1
    assert got[0].startswith(b"POST /send/abc HTTP/1.1\r\nHost: push.example.net\r\n")
    assert b"\r\nTTL: 60\r\n" in got[0]
    assert got[0].endswith(b"\r\n\r\nsecret")


def certificate_of(name: str, folder: Path) -> Path:
    """A key and a certificate that its owner has signed himself."""
    key = ec.generate_private_key(CURVE)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(
            subject, subject, key.public_key(), x509.random_serial_number(), now, now + timedelta(1)
        )
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.public_bytes(Encoding.PEM))
    return file


def test_off_by_default(database: str, service: PushService) -> None:
    with TestClient(create_app(Settings(database=database, push_key=""))) as client:
        house = House(client)
        assert house.get("/api/push").json() == {"key": None}
        *_, cookie = joined(house)
        assert subscribe(house, cookie, service.subscription) == 422


def test_the_admin_makes_keys_that_a_server_takes(database: str) -> None:
    made = CliRunner().invoke(command, ["push-keys"], catch_exceptions=False)
    key = re.search(r"^BASTIDE_PUSH_KEY=(.+)$", made.output, re.M)
    assert key
    settings = Settings(database=database, push_key=key[1], push_contact=CONTACT)
    assert calls.signer_of(settings)
    with pytest.raises(BastideError, match="BASTIDE_PUSH_CONTACT: expected mailto:"):
        calls.signer_of(replace(settings, push_contact=""))
    with pytest.raises(BastideError, match="expected 32 bytes"):
        calls.signer_of(replace(settings, push_key="abcd"))
