"""The bots of an earlier commit as yardsticks, in the same process: the package under the name `bastide_before`.

    python bench/before.py 45f4e12 FOLDER
    PYTHONPATH=FOLDER python bench/variants.py planner "before planner" --games 1000

Builds the package of a commit, renamed, into FOLDER (two minutes). `bench/variants.py` then knows its `planner` and
`search:POSITIONS`. Each has a game of its own in which every action is repeated, so nothing but the numbers of actions
passes from one version to the other.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
from importlib import import_module
from pathlib import Path
from shutil import copy, copytree
from tempfile import TemporaryDirectory
from typing import Any

from table import Choose, best_by, searcher

from bastide import Rules
from bastide.game import Engine

OWN = "bastide"
NAME = "bastide_before"
FILES = ("src", "setup.py", "pyproject.toml", "README.md", "LICENSE")
TEXTS = (".py", ".toml")


def build(commit: str, folder: Path) -> None:
    """Builds a commit's package under the other name."""
    with TemporaryDirectory() as made:
        home = Path(made)
        packed = subprocess.run(["git", "archive", commit, *FILES], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as files:
            files.extractall(home, filter="data")
        (home / "src" / OWN).rename(home / "src" / NAME)
        for path in home.rglob("*"):
            if path.suffix in TEXTS:
                path.write_text(re.sub(rf"\b{OWN}\b", NAME, path.read_text("utf-8")), "utf-8")
        subprocess.run([sys.executable, "setup.py", "-q", "build"], check=True, cwd=home)
        (library,) = home.glob("build/lib*")
        for path in library.iterdir():
            if path.is_dir():
                copytree(path, folder / path.name, dirs_exist_ok=True)
            else:
                copy(path, folder / path.name)


def part(name: str) -> Any:
    """A module of the other package; its types are not ours."""
    return import_module(f"{NAME}.{name}")


def chooser(bot: str, rules: Rules, seed: int) -> Choose:
    """A bot of before, by the same rules."""
    made = part("rules").Rules
    modules = [name for name in rules.module_names if name != "base"]
    theirs = made.of(modules=modules, players=int(rules.players))
    engine = part("game").new_engine(theirs)
    evaluation = part("bots.evaluation").Evaluation(theirs)
    positions = int(bot.partition(":")[2] or 0)
    if positions:
        decide = searcher(part("bots.search").Search(evaluation, seed), positions)
    else:
        decide = best_by(part("bots.planner").Planner(evaluation))
    done = 0

    def choose(game: Engine, history: list[int]) -> int:
        nonlocal done
        for action in history[done:]:
            engine.apply(action)
        engine.trail_len = 0
        done = len(history)
        return decide(engine, history)

    return choose


def main() -> None:
    """Reads the command line and builds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    build(given.commit, given.folder)


if __name__ == "__main__":
    main()
