"""Positions and puzzles that travel in their links: there is no server that could keep them."""

from __future__ import annotations

import base64
import binascii
import zlib

import msgspec

from bastide.server.api.incoming import RECORD, NewPosition
from bastide.server.api.refusal import Refusal

MOST = 2 * RECORD  # bytes that a link may unfold to


def name_of(wanted: NewPosition) -> str:
    """A position as letters of a link."""
    packed = zlib.compress(msgspec.json.encode(wanted), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def content_of(name: str) -> NewPosition:
    """The position in a link; refused if it has none."""
    try:
        packed = base64.urlsafe_b64decode(name + "=" * (-len(name) % 4))
        return msgspec.json.decode(zlib.decompressobj().decompress(packed, MOST), type=NewPosition)
    except (binascii.Error, ValueError, zlib.error, msgspec.DecodeError) as error:
        raise Refusal("table", "there is no such position: the link is not whole") from error
