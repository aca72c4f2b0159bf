"""PNG and GIF from SVG. This needs the extra `png`; everything else about drawing needs nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from types import ModuleType
from typing import Any

from bastide.errors import BastideError

NAMED = re.compile(r"#([0-9a-f]{6})\b")  # colours in a style sheet


def optional(name: str) -> ModuleType:
    """A package that only pictures made of pixels need."""
    try:
        return import_module(name)
    except ImportError as missing:
        raise BastideError(f"pictures made of pixels need {name}: pip install 'bastide[png]'") from missing


def png(svg: str, width: int | None = None) -> bytes:
    """An SVG rendered to PNG, at its own size or at a width in pixels."""
    return bytes(optional("resvg_py").svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))


def gif(frames: Sequence[str], width: int = 640, seconds: float = 0.8) -> bytes:
    """Several SVGs of one size as an animation; the last picture stays three times as long."""
    if not frames:
        raise BastideError("an animation needs at least one picture")
    image = optional("PIL.Image")
    drawn = [image.open(BytesIO(png(frame, width))).convert("RGB") for frame in frames]
    table = image.new("P", (1, 1))
    table.putpalette(palette(frames[-1], drawn[-1]))
    pictures = [picture.quantize(palette=table, dither=0) for picture in drawn]
    out = BytesIO()
    times = [round(1000 * seconds)] * (len(pictures) - 1) + [round(3000 * seconds)]
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return out.getvalue()


def palette(frame: str, picture: Any) -> bytes:
    """256 colours: all that the drawing names, for pieces are small but matter, and the most common mixtures."""
    named = bytes.fromhex("".join(dict.fromkeys(NAMED.findall(frame))))[:600]
    mixed = bytes(picture.quantize(256 - len(named) // 3).getpalette())
    return (named + mixed)[:768]
