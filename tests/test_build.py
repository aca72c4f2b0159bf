"""Compiled, uncompiled, or refused: an installed copy always knows which, and never runs old code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from bastide import _guard
from bastide._guard import Build, troubles
from bastide.native import compiled

ROOT = Path(__file__).parents[1]
SKELETON = ("__init__.py", "_guard.py", "errors.py", "native.py")
BUILT_IN = '"""A constant that compiled code has built in."""\nfrom typing import Final\nNUMBER: Final = 41\n'
COMPILED = '''"""A class that plain Python may extend."""
from bastide.geometry import NUMBER
from bastide.native import i64, mypyc_attr

@mypyc_attr(allow_interpreted_subclasses=True)
class Counter:
    def step(self) -> i64:
        return 1
    def next(self) -> i64:
        return NUMBER + self.step()
'''
TRY = """
from bastide.kernel import counter
from bastide.native import compiled
class Mine(counter.Counter):
    def step(self): return 2
print(compiled(), counter.__file__.endswith(".py"), Mine().next())
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder like an installed package: one compiled file, one plain file that it imports."""
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel/board.py").write_text("compiled")
    (tmp_path / f"kernel/board{EXTENSION_SUFFIXES[0]}").touch()
    (tmp_path / "geometry.py").write_text("plain")
    return tmp_path


BUILD: Build = {
    "compiled": {"kernel/board.py": sha256(b"compiled").hexdigest()},
    "beneath": {"geometry.py": sha256(b"plain").hexdigest()},
    "plain_because": "",
}


def test_a_build_that_belongs_to_its_sources_is_accepted(home: Path) -> None:
    assert list(troubles(home, BUILD)) == []


@pytest.mark.parametrize("changed", ["kernel/board.py", "geometry.py"])
def test_a_source_that_changed_is_named(home: Path, changed: str) -> None:
    (home / changed).write_text("newer")
    assert list(troubles(home, BUILD)) == [f"{changed} has changed since it was compiled"]


def test_a_compiled_file_that_is_gone_is_named(home: Path) -> None:
    """Python would run the source instead, many times slower, without a word."""
    (home / f"kernel/board{EXTENSION_SUFFIXES[0]}").unlink()
    assert list(troubles(home, BUILD)) == [
        "the compiled file of kernel/board.py is missing or was made for another Python"
    ]


def test_a_compiled_file_of_an_earlier_build_is_named(home: Path) -> None:
    (home / f"kernel/old{EXTENSION_SUFFIXES[0]}").touch()
    assert list(troubles(home, BUILD)) == [
        f"kernel/old{EXTENSION_SUFFIXES[0]} is left over from another build: delete it"
    ]


def test_a_distribution_without_sources_has_nothing_to_compare(home: Path) -> None:
    (home / "kernel/board.py").unlink()
    assert list(troubles(home, BUILD)) == []


def test_the_engine_under_test_is_what_it_says() -> None:
    """Every file that the build compiled runs compiled, or none does."""
    names = _guard.read(_guard.HOME)["compiled"] or {"kernel/board.py": ""}
    for name in names:
        module = import_module("bastide." + name.removesuffix(".py").replace("/", "."))
        assert str(module.__file__).endswith(tuple(EXTENSION_SUFFIXES)) == compiled()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the real build and guard, and an engine of one class."""
    home = tmp_path / "src/bastide"
    (home / "kernel/data").mkdir(parents=True)
    for name in ("setup.py", "pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    for name in SKELETON:
        shutil.copy(ROOT / "src/bastide" / name, home)
    (tmp_path / "README.md").touch()
    (home / "__init__.py").write_text("from bastide import _guard\n\n_guard.begin()\n")
    (home / "geometry.py").write_text(BUILT_IN)
    (home / "kernel/__init__.py").touch()
    (home / "kernel/counter.py").write_text(COMPILED)
    (home / "kernel/slow.py").write_text("# interpreted: to show it\n")
    (home / "kernel/data/tiles.json").write_text("{}")
    return tmp_path


def run(project: Path, *arguments: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("BASTIDE_PURE", "PYTHONPATH", "CC")}
    return subprocess.run(
        [sys.executable, *arguments], cwd=project, env=clean | environment, capture_output=True, text=True, check=False
    )


def install(project: Path, **environment: str) -> tuple[Path, str]:
    """The folder that a build fills, and what it said."""
    built = run(project, "setup.py", "--quiet", "build", "--build-lib", "installed", environment=environment)
    assert built.returncode == 0, built.stderr
    return project / "installed", built.stderr


def use(project: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(project, "-c", TRY, environment={"PYTHONPATH": "installed", **environment})


def test_a_compiled_build(project: Path) -> None:
    installed, _ = install(project)
    assert use(project).stdout == "True False 43\n"
    assert use(project, BASTIDE_PURE="1").stdout == "False True 43\n"
    assert (installed / "bastide/kernel/data/tiles.json").exists()
    assert not list(installed.glob("bastide/kernel/slow*.so"))

    (installed / "bastide/geometry.py").write_text(BUILT_IN.replace("41", "50"))
    refused = use(project)
    assert refused.returncode == 1
    assert "CompiledStale: geometry.py has changed since it was compiled; install Bastide again" in refused.stderr
    assert use(project, BASTIDE_PURE="1").stdout == "False True 52\n"


def test_a_build_without_a_compiler_says_so_at_once_and_at_every_start(project: Path) -> None:
    _, said = install(project, CC="/nonexistent")
    assert "built uncompiled and will be slow: no working C compiler" in said
    used = use(project)
    assert used.stdout == "False True 43\n"
    assert used.stderr.count("runs uncompiled and slowly: no working C compiler") == 1
    assert use(project, BASTIDE_PURE="1").stderr == ""


def test_a_plain_build_that_was_asked_for_is_silent(project: Path) -> None:
    _, said = install(project, BASTIDE_PURE="1")
    assert "uncompiled" not in said
    used = use(project)
    assert (used.stdout, used.stderr) == ("False True 43\n", "")


def test_a_file_that_is_gone_does_not_come_back_with_the_next_build(project: Path) -> None:
    installed, _ = install(project, BASTIDE_PURE="1")
    assert (installed / "bastide/kernel/slow.py").exists()
    (project / "src/bastide/kernel/slow.py").unlink()
    install(project, BASTIDE_PURE="1")
    assert not (installed / "bastide/kernel/slow.py").exists()
