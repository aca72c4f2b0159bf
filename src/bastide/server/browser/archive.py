"""One zip file of many, for the browser. scripts/engine.py loads this file alone: it imports nothing of Bastide."""

from __future__ import annotations

import io
from collections.abc import Iterable
from zipfile import ZipFile, ZipInfo

EARLY = (1980, 1, 1, 0, 0, 0)  # the oldest date of a zip file


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Always the same for the same contents. Nothing in it is packed: packed as a whole it is smaller."""
    whole = io.BytesIO()
    with ZipFile(whole, "w") as archive:
        for name, content in sorted(files):
            archive.writestr(ZipInfo(name, EARLY), content)
    return whole.getvalue()
