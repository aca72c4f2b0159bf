"""What all tests share: how hard property tests try, and which engine runs."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

import bastide
from bastide.native import compiled

# The same examples in every run, and no time limits: new examples are for scripts/fuzz to find.
settings.register_profile(
    "bastide",
    derandomize=True,
    deadline=None,
    max_examples=100 if compiled() else 20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("bastide")


def pytest_report_header() -> str:
    return f"bastide: {'compiled' if compiled() else 'uncompiled'}, {bastide.__file__}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A rule marker without ids would be found by nobody."""
    for item in items:
        for marker in item.iter_markers("rule"):
            if not marker.args:
                raise pytest.UsageError(f"{item.nodeid}: expected ids in the rule marker, found none")
