"""Builds the package, with its engine compiled by mypyc where that is possible.

Everything else about the package stands in pyproject.toml. Three ways it can go:
- mypyc and a C compiler are there: the engine is compiled. An error in the sources stops the build.
- one of them is missing: the same sources are installed as they are, and the build and every start say so.
- BASTIDE_PURE=1: the same, because it was asked for.
The list that is left in the package tells `bastide._guard` what was compiled, from which sources.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError, ExecError, PlatformError

HOME = Path("src/bastide")
LIST = "_compiled.json"

# Compiled together: these files, but for `__init__.py` and those with a line `# interpreted: reason`.
ENGINE = ("kernel/*.py", "rules/*.py", "game/*.py", "modules/*/*.py", "bots/*.py")
INTERPRETED = re.compile(r"^# interpreted: \S", re.MULTILINE)
DRAWINGS = "art.py"  # of a module; no part of the engine
# Plain sources that the engine imports. Their constants are built into compiled code, so the guard watches them too.
BENEATH = ("*.py", "tiles/*.py")

# Nobody else calls the compiled functions, so the compiler may build small ones into others: a tenth of the time.
INLINE = [] if sys.platform == "win32" else ["-fvisibility=hidden", "-fno-semantic-interposition"]

METADATA_ONLY = {"egg_info", "dist_info", "sdist"}


def found(patterns: tuple[str, ...]) -> list[Path]:
    """Sources below the package, in order."""
    return sorted(path for pattern in patterns for path in HOME.glob(pattern) if path.name != DRAWINGS)


def engine() -> list[Path]:
    """The files to compile."""
    files = [path for path in found(ENGINE) if path.name != "__init__.py"]
    return [path for path in files if not INTERPRETED.search(path.read_text("utf-8"))]


def beneath() -> list[Path]:
    """The files that stay plain but have a part in what is compiled."""
    return sorted({*found(ENGINE), *found(BENEATH)} - {*engine()})


def extensions() -> tuple[list[Extension], str]:
    """What to compile; if nothing, why not (empty when it was asked for)."""
    if os.environ.get("BASTIDE_PURE", "") not in ("", "0"):
        return [], ""
    if not engine():
        return [], "no file of the engine was found"
    try:
        from mypyc.build import mypycify
    except ImportError as error:
        return [], f"mypyc could not be imported when it was installed ({error})"
    if not compiler_works():
        return [], "no working C compiler with Python's headers was found when it was installed"
    made = mypycify(["--strict", *map(str, engine())], opt_level="3", group_name="bastide")
    for extension in made:
        extension.extra_compile_args += INLINE
    return made, ""


def compiler_works() -> bool:
    """Compile and link the smallest extension there is."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n")
        command = build_ext(Distribution({"name": "probe", "ext_modules": [Extension("probe", [str(source)])]}))
        command.build_lib = command.build_temp = folder
        try:
            command.ensure_finalized()
            command.run()
        except (CCompilerError, ExecError, PlatformError):
            return False
    return True


class Sources(build_py):
    """Copies the sources into an empty folder (files that are gone must not come back) and adds the list."""

    def run(self) -> None:
        if not self.editable_mode:
            rmtree(Path(self.build_lib, HOME.name), ignore_errors=True)
        super().run()
        if not self.editable_mode:
            leave_list(Path(self.build_lib, HOME.name))


class Engine(build_ext):
    """Compiles the engine; where it lies (editable installs), adds the list there."""

    def run(self) -> None:
        super().run()
        if self.inplace:
            leave_list(HOME)


def leave_list(home: Path) -> None:
    """Write what was compiled from what: `bastide._guard.Build`."""
    build = {
        "compiled": hashes(engine()) if EXTENSIONS else {},
        "beneath": hashes(beneath()) if EXTENSIONS else {},
        "plain_because": PLAIN_BECAUSE,
    }
    Path(home, LIST).write_text(json.dumps(build, indent=1) + "\n", "utf-8")


def hashes(files: list[Path]) -> dict[str, str]:
    """Hash of each file, by its path below the package."""
    return {path.relative_to(HOME).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


if __name__ == "__main__":
    EXTENSIONS, PLAIN_BECAUSE = ([], "") if METADATA_ONLY.intersection(sys.argv) else extensions()
    if PLAIN_BECAUSE:
        print(f"\n*** bastide is built uncompiled and will be slow: {PLAIN_BECAUSE} ***\n", file=sys.stderr)
    setup(ext_modules=EXTENSIONS, cmdclass={"build_py": Sources, "build_ext": Engine})
