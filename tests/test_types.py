"""The package is typed for those who install it: examples and pages pass strict checkers outside the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import bastide
from tests.snippets import GUIDES, ROOT, program

HOME = Path(bastide.__file__).parent
CHECKED = [page for page in GUIDES if program(page)]
LEARNERS = {  # what an example of learning needs, besides what tests need anyhow
    "alphazero.py": "torch",
    "clean_ppo.py": "torch",
    "maskable_ppo.py": "sb3_contrib",
    "spiel_mcts.py": "pyspiel",
}
# Nothing of the sources, their settings or their cache is found from there.
MYPY = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=cache"]
PYRIGHT = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]

pytestmark = [
    pytest.mark.skipif(HOME.is_relative_to(ROOT / "src"), reason="asks the installed copy"),
    pytest.mark.xdist_group("types"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder: the examples, and the code of each page as a file."""
    folder = tmp_path_factory.mktemp("user")
    for example in (ROOT / "examples").rglob("*.py"):
        if find_spec(LEARNERS.get(example.name, "bastide")):
            shutil.copy(example, folder)
    for page in CHECKED:
        (folder / f"page_{page.stem.replace('-', '_').lower()}.py").write_text(program(page), "utf-8")
    return folder


def check(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A checker over all files of a folder."""
    files = sorted(file.name for file in folder.glob("*.py"))
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    return subprocess.run([*command, *files], cwd=folder, env=plain, capture_output=True, text=True, timeout=900)


def test_the_package_says_that_it_is_typed() -> None:
    assert (HOME / "py.typed").is_file()


@pytest.mark.parametrize("command", [MYPY, PYRIGHT], ids=["mypy", "pyright"])
def test_examples_and_documentation_pass(command: list[str], folder: Path) -> None:
    done = check(command, folder)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("command", [MYPY, PYRIGHT], ids=["mypy", "pyright"])
def test_a_wrong_call_is_found(command: list[str], tmp_path: Path) -> None:
    """With an untyped package both would be silent."""
    (tmp_path / "wrong.py").write_text("from bastide import Game\n\nGame(seed=1).play(4.5)\n", "utf-8")
    done = check(command, tmp_path)
    assert done.returncode == 1
    assert "wrong.py:3" in done.stdout
