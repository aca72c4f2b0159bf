"""What to say when an optional package is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from bastide.errors import BastideError


def need(package: str, extra: str) -> ModuleType:
    """Imports a package that comes with an extra of Bastide."""
    try:
        return import_module(package)
    except ModuleNotFoundError as missing:
        if missing.name != package.split(".")[0]:
            raise
        raise BastideError(f"this environment needs {missing.name}: pip install 'bastide[{extra}]'") from missing
