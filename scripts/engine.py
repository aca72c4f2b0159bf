"""Writes what runs the engine in a browser into the package: Pyodide from web/node_modules, and three wheels.

Plain web servers compress nothing, so everything is as small here as it can be: the WebAssembly is packed (the page
unpacks it), and the library leaves out what no game needs. The library and Bastide's own sources are compiled to
bytecode, so that a start takes half of the time. Called by the scripts whenever the page is built.
"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src/bastide/server/browser"))
from archive import zipped  # noqa: E402, without the package around it, which may not be built yet

PYODIDE = ROOT / "web/node_modules/pyodide"
LOCK = ROOT / "requirements/browser.txt"
OUT = ROOT / "src/bastide/server/browser/engine"
SCRIPTS = ("pyodide", "pyodide.asm")  # named .js: many web servers know no type for .mjs, and a browser runs no other
TAG = ("pyemscripten_2026_0_wasm32", "3.14", "cp314")

# Parts of the standard library that nothing here imports.
UNUSED = {
    "_aix_support.py", "_android_support.py", "_apple_support.py", "_ios_support.py", "_markupbase.py",
    "_pydatetime.py", "_pydecimal.py", "_pyio.py", "_pylong.py", "_pyrepl", "_strptime.py", "bdb.py", "cmd.py",
    "cProfile.py", "code.py", "compileall.py", "configparser.py", "csv.py", "ctypes", "curses", "dbm",
    "doctest.py", "ensurepip", "filecmp.py", "fileinput.py", "ftplib.py", "getopt.py", "getpass.py", "graphlib.py",
    "idlelib", "imaplib.py", "lib2to3", "mailbox.py", "mailcap.py", "modulefinder.py", "multiprocessing", "netrc.py",
    "nntplib.py", "optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "pprint.py", "profile.py",
    "profiling", "pstats.py", "pty.py", "py_compile.py", "pyclbr.py", "pydoc.py", "pydoc_data", "rlcompleter.py",
    "sched.py", "shelve.py", "smtplib.py", "socketserver.py", "sqlite3", "stringprep.py", "symtable.py",
    "tabnanny.py", "telnetlib.py", "this.py", "timeit.py", "tkinter", "tomllib", "trace.py", "tracemalloc.py",
    "tty.py", "turtle.py", "turtledemo", "unittest", "venv", "wave.py", "webbrowser.py", "wsgiref", "xml", "xmlrpc",
    "zipapp.py",
}  # fmt: skip
ENCODINGS = {
    "__init__.py",
    "aliases.py",
    "ascii.py",
    "cp437.py",
    "idna.py",
    "latin_1.py",
    "unicode_escape.py",
    "utf_8.py",
}
# Of librt: each library that is there is loaded at every start.
UNUSED_LIBRARIES = {
    f"{name}.cpython-314-wasm32-emscripten" for name in ("base64", "internal", "random", "threading", "time")
}


def main() -> None:
    """Writes all files."""
    if not PYODIDE.is_dir():
        sys.exit("engine: Pyodide is missing; npm install in web/ brings it")
    files = {f"{name}.js": (PYODIDE / f"{name}.mjs").read_bytes() for name in SCRIPTS}
    files["python.wasm.packed"] = gzip.compress((PYODIDE / "pyodide.asm.wasm").read_bytes(), mtime=0)
    archives = {"library": zipped(library()), "packages": zipped(packages()), "bastide": zipped(own())}
    archives |= bytecode(archives)
    del archives["bastide"]  # it is packed anew, as it is then (bastide.server.browser.files)
    for name, archive in archives.items():
        files[f"{name}.packed"] = gzip.compress(archive, mtime=0)
    OUT.mkdir(parents=True, exist_ok=True)  # not before all of them are there: half an engine would be taken for one
    for old in OUT.iterdir():
        old.unlink()
    for name, body in files.items():
        (OUT / name).write_bytes(body)


def library() -> Iterator[tuple[str, bytes]]:
    """The files of the standard library that are of use."""
    with ZipFile(PYODIDE / "python_stdlib.zip") as whole:
        for name in whole.namelist():
            first, _, rest = name.partition("/")
            if first not in UNUSED and not name.endswith("/") and (first != "encodings" or rest in ENCODINGS):
                yield name, whole.read(name)


def own() -> Iterator[tuple[str, bytes]]:
    """Bastide itself."""
    home = ROOT / "src"
    for file in sorted((home / "bastide").rglob("*")):
        if file.suffix in (".py", ".json", ".md"):
            yield file.relative_to(home).as_posix(), file.read_bytes()


def bytecode(archives: dict[str, bytes]) -> dict[str, bytes]:
    """The library and the modules of Bastide that a start needs, compiled (scripts/bytecode.mjs)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, body in archives.items():
            Path(folder, f"{name}.zip").write_bytes(body)
        subprocess.run(["node", ROOT / "scripts/bytecode.mjs", folder], check=True)
        return {name: Path(folder, f"{name}.zip").read_bytes() for name in ("library", "bytecode")}


def packages() -> Iterator[tuple[str, bytes]]:
    """The files of the locked wheels."""
    platform, python, abi = TAG
    with tempfile.TemporaryDirectory() as folder:
        wanted = ["--platform", platform, "--python-version", python, "--implementation", "cp", "--abi", abi]
        command = ["download", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", *wanted]
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", *command]
        subprocess.run([*pip, "--dest", folder, "--requirement", str(LOCK)], check=True)
        for wheel in sorted(Path(folder).glob("*.whl")):
            with ZipFile(wheel) as files:
                for name in files.namelist():
                    if "/licenses/" in name:  # of the rest about a package Pyodide would make entries of its own
                        yield f"licenses/{name.replace('.dist-info/licenses', '')}", files.read(name)
                    elif (
                        not re.search(r"/$|\.pyi$|\.[hc]$|\.dist-info/", name)
                        and Path(name).stem not in UNUSED_LIBRARIES
                    ):
                        yield name, files.read(name)


if __name__ == "__main__":
    main()
