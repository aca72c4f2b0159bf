"""Parts of Bastide that are installed on demand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bastide.errors import BastideError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Says how to install what an import misses."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("bastide"):
            raise
        raise BastideError(f"this needs {missing.name}: pip install 'bastide[{extra}]'") from missing
