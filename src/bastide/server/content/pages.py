"""Content that seldom changes: the built page, drawings, catalogue. Compressed once, tagged by what is in it."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from litestar import Request, Response

STATIC = Path(__file__).parents[1] / "static"
INDEX = "index.html"
HASHED = "assets/"  # the build gives these files names with a hash of their content
FOREVER = "public, max-age=31536000, immutable"
ASK = "no-cache"  # may be kept, but the server is asked whether it is still the same
SMALL = 500  # bytes that are not worth compressing
PACKABLE = ("text/", "application/json", "application/javascript", "application/manifest+json", "image/svg+xml")
JSON = "application/json"
SVG = "image/svg+xml"
ABSENT = (
    "The page has not been built. In a checkout of Bastide, scripts/play builds it where Node.js is installed. "
    "The server itself works: see /api/schema/openapi.json.\n"
)


@dataclass(frozen=True)
class Content:
    """Bytes of a kind, and how long a browser may keep them without asking."""

    body: bytes
    kind: str
    cache: str = ASK

    @cached_property
    def tag(self) -> str:
        """The same for the same bytes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def packed(self) -> bytes | None:
        """Compressed, if that helps."""
        if len(self.body) < SMALL or not self.kind.startswith(PACKABLE):
            return None
        return gzip.compress(self.body, mtime=0)

    def pack(self) -> Content:
        """The same, compressed now: in a thread, where nobody waits for it."""
        _ = self.packed, self.tag
        return self

    def answer(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """What the client needs of it: perhaps only that it has the newest."""
        headers = {"ETag": self.tag, "Cache-Control": self.cache, "Vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(b"", status_code=304, headers=headers)
        body = self.body
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = self.packed, "gzip"
        return Response(body, media_type=self.kind, headers=headers)


def built_page(folder: Path = STATIC) -> Mapping[str, Content]:
    """All files of the built page by their path; a plain sentence where it was not built."""
    if not (folder / INDEX).is_file():
        return {INDEX: Content(ABSENT.encode(), "text/plain")}
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            path = file.relative_to(folder).as_posix()
            found[path] = Content(file.read_bytes(), kind_of(path), FOREVER if path.startswith(HASHED) else ASK)
    return found


def kind_of(path: str) -> str:
    """The media type of a file of the page; Litestar adds the charset of a text."""
    if path.endswith(".webmanifest"):
        return "application/manifest+json"
    if path.endswith(".js"):
        return "text/javascript"
    return mimetypes.guess_type(path)[0] or "application/octet-stream"
