"""PNG and GIF from SVG. This needs the extra `png`; everything else about drawing needs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from types import ModuleType

from bastide.errors import BastideError


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
    pictures = [image.open(BytesIO(png(frame, width))).convert("RGB").quantize(128) for frame in frames]
    out = BytesIO()
    times = [round(1000 * seconds)] * (len(pictures) - 1) + [round(3000 * seconds)]
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return out.getvalue()
