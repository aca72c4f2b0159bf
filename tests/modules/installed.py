"""Modules of somebody else, installed with pip into a folder of their own.

One is written by `bastide module new`, the other from what docs/writing-a-module.md shows, and nothing else.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from bastide.cli.group import group

NAME = "fords"  # as an author might call it
IN_THE_GUIDE = "waymarks"
GUIDE = Path(__file__).parents[2] / "docs/writing-a-module.md"
FILE = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def written(folder: Path) -> Path:
    """The project that the command writes."""
    said = CliRunner().invoke(group, ["module", "new", NAME, "--into", str(folder)])
    assert said.exit_code == 0, said.output
    return folder / NAME


def copied_from_the_guide(folder: Path) -> Path:
    """The project that the guide shows, file by file."""
    project = folder / IN_THE_GUIDE
    files = FILE.findall(GUIDE.read_text("utf-8"))
    for name, text in [(f"{IN_THE_GUIDE}/__init__.py", '"""One line."""\n'), *files]:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return project


def installed(folder: Path) -> dict[str, str]:
    """Both projects, installed; returns the environment in which Python finds them."""
    site = folder / "site"
    quiet = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation"]
    projects = [str(written(folder)), str(copied_from_the_guide(folder))]
    subprocess.run([sys.executable, "-m", "pip", "install", *quiet, "--target", str(site), *projects], check=True)
    path = os.pathsep.join(part for part in (str(site), os.environ.get("PYTHONPATH", "")) if part)
    return {**os.environ, "PYTHONPATH": path}
