"""Which tests cite which rules: read from the files, never run."""

from __future__ import annotations

from pathlib import Path

import pytest

from bastide.errors import BastideError
from bastide.rulebook import load
from bastide.rulebook.citations import Citation, in_scenarios, in_tests, problems, scenario_files

FILE = """
import pytest
import no_such_module

pytestmark = [pytest.mark.slow, pytest.mark.rule("BASE-1")]


@pytest.mark.rule("BASE-2", "BASE-3")
def test_one(): ...


class TestMany:
    pytestmark = pytest.mark.rule("BASE-4")

    @pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.rule("BASE-5"))])
    def test_two(self, x): ...


@pytest.mark.rule("BASE-6")
def helper(): ...
"""


def cited(folder: Path) -> list[tuple[str, str]]:
    return [(citation.where, citation.rule) for citation in in_tests(folder)]


def test_markers_on_tests_classes_files_and_parameters(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "test_many.py").write_text(FILE)
    assert cited(folder) == [
        ("tests/deep/test_many.py::test_one", "BASE-1"),
        ("tests/deep/test_many.py::test_one", "BASE-2"),
        ("tests/deep/test_many.py::test_one", "BASE-3"),
        ("tests/deep/test_many.py::TestMany::test_two", "BASE-1"),
        ("tests/deep/test_many.py::TestMany::test_two", "BASE-4"),
        ("tests/deep/test_many.py::TestMany::test_two", "BASE-5"),
    ]


def test_tests_of_the_oracle_show_nothing_about_the_engine(tmp_path: Path) -> None:
    (tmp_path / "test_oracle_base.py").write_text(FILE)
    assert cited(tmp_path) == []


def test_an_id_that_is_computed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text("@pytest.mark.rule(BASE + '-1')\ndef test_x(): ...\n")
    with pytest.raises(BastideError, match="expected rule ids as plain texts"):
        cited(tmp_path)


def test_scenarios_cite_by_their_header() -> None:
    found = list(in_scenarios())
    assert Citation("BASE-15", "base/small_city_two_points.txt", scenario=True) in found
    assert {citation.where.partition("/")[2] for citation in found} == {path.name for path in scenario_files()}


def test_what_a_check_complains_about() -> None:
    book = {name: rule for name, rule in load().items() if name in ("BASE-1", "BASE-2", "BASE-10", "HILL-1")}
    citations = [
        Citation("BASE-1", "tests/test_x.py::test_x", scenario=False),
        Citation("BASE-10", "tests/test_x.py::test_y", scenario=False),
        Citation("BASE-99", "base/x.txt", scenario=True),
    ]
    assert problems(book, citations, {"base"}) == [
        "base/x.txt cites BASE-99, which does not exist",
        "BASE-2 has no test",
        "BASE-10 has an example, but no scenario",
    ]
    assert problems(book, citations[:1], {"river"}) == []


def test_the_tests_beside_this_one_are_found() -> None:
    test = "tests/notation/test_replay.py::test_the_drawn_tile_is_told_to_everybody_before_it_is_placed"
    assert (test, "BASE-5") in cited(Path(__file__).parents[1])
