"""The server in a browser: the same tables, moves and messages, without a network. Pyodide runs it in a worker.

`page.py` answers the page; a database of the browser (IndexedDB) keeps the tables, and another worker thinks for bots.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any


class Nothing:
    """Stands for figures that nobody reads: whatever is asked of it is nothing again."""

    def __getattr__(self, _: str) -> Nothing:
        return self

    def __call__(self, *_: object, **__: object) -> Nothing:
        return self

    def __enter__(self) -> Nothing:
        return self

    def __exit__(self, *_: object) -> None:
        """A time that nobody measures."""


if find_spec("prometheus_client") is None:
    nothing: Any = Nothing()
    sys.modules["prometheus_client"] = sys.modules["prometheus_client.multiprocess"] = nothing
