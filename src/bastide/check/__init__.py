"""Checks that a module meets everything that the rest of Bastide expects of it: `check_module("river")`."""

from bastide.check.finding import CHECKS, Finding
from bastide.check.module import check_module

__all__ = ["CHECKS", "Finding", "check_module"]
