"""Imports what both workers need, and makes the rules of the base game: a picture of the memory is taken after that."""

from __future__ import annotations

import gc

from bastide.rules.build import compiled
from bastide.rules.choose import choose
from bastide.server.browser import script, thoughts

__all__ = ["script", "thoughts"]

compiled(choose("", [], 2, "", {}))
gc.collect()
