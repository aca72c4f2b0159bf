"""Bots in files of Python, and fingerprints that tell whether a bot has changed."""
# interpreted: speaks to people

from __future__ import annotations

import ast
import shlex
import sys
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points, version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path

from bastide.bots.bot import Bot
from bastide.errors import BotError

GROUP = "bastide.bots"  # of entry points: classes of bots in other packages

_numbers = count(1)


def bot_from_file(path: str, seed: int = 0) -> Bot:
    """The bot of a Python file: the one subclass of Bot that is defined there. `FILE.py:NAME` picks one of several."""
    source, wanted = source_of(path)
    if not source.is_file():
        raise BotError(f"{source}: there is no such file")
    name = f"bastide_bot_{next(_numbers)}"
    spec = spec_from_file_location(name, source)
    if spec is None or spec.loader is None:
        raise BotError(f"{source}: expected a file of Python")
    module = module_from_spec(spec)
    known = set(sys.modules)
    sys.modules[name] = module
    folder = str(source.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BotError(f"{source}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
        forget_neighbours(folder, known | {name})
    found = {
        key: kind
        for key, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Bot) and kind.__module__ == name
    }
    if wanted:
        found = {key: kind for key, kind in found.items() if key == wanted}
    if len(found) != 1:
        raise BotError(
            f"{source}: expected one subclass of Bot{f' called {wanted}' * bool(wanted)}, found {len(found)}"
        )
    return make_bot(next(iter(found.values())), seed, source)


def source_of(path: str) -> tuple[Path, str]:
    """The file, and the name of the class if one is given: `FILE.py:NAME`."""
    file, _, wanted = path.partition(".py:")
    return Path(f"{file}.py" if wanted else path), wanted


def forget_neighbours(folder: str, known: set[str]) -> None:
    """Files beside a bot are its own: another bot may have some of the same name."""
    for name in set(sys.modules) - known:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).resolve().is_relative_to(folder):
            del sys.modules[name]


def make_bot(kind: type[Bot], seed: int, source: Path | str) -> Bot:
    """A bot of a class that takes a seed."""
    try:
        return kind(seed)
    except TypeError as error:
        raise BotError(f"{source}: {kind.__name__} is made with a seed: {error}") from error
    except Exception as error:
        raise BotError(f"{source}: {type(error).__name__}: {error}") from error


def fingerprint(name: str) -> str:
    """Changes when a bot does: its files hashed, or the release of Bastide for one of its own."""
    kind, _, rest = name.partition(":")
    if kind == "python":
        files = neighbours(source_of(rest)[0])
    elif kind == "program":
        files = [path for word in shlex.split(rest) if (path := Path(word)).is_file()]
    else:
        files = [path for entry in entry_points(group=GROUP, name=name) for path in package_of(entry)]
        if not files:
            return f"bastide {version('bastide')}"
    return sha256(b"".join(sha256(path.read_bytes()).digest() for path in files if path.is_file())).hexdigest()


def package_of(entry: EntryPoint) -> list[Path]:
    """The files of the package, or the one file, in which an installed bot is defined."""
    spec = find_spec(entry.module.partition(".")[0])
    if spec is None or spec.origin is None:
        return []
    file = Path(spec.origin)
    return sorted(file.parent.rglob("*.py")) if spec.submodule_search_locations else [file]


def neighbours(source: Path) -> list[Path]:
    """A file of Python, and the files and packages beside it that it imports, directly or through each other."""
    found, left = [source], [source]
    while left:
        for name in imported(left.pop()):
            beside = source.parent / name
            new = {beside.with_suffix(".py"), *beside.rglob("*.py")} - {*found}
            found += [path for path in new if path.is_file()]
            left += [path for path in new if path.is_file()]
    return sorted(found)


def imported(source: Path) -> set[str]:
    """The first words of everything that a file imports."""
    try:
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError):
        return set()  # whoever makes the bot says what is wrong
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [node.module] if node.module else [alias.name for alias in node.names]
    return {name.split(".")[0] for name in names}
