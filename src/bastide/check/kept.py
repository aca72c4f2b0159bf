"""What the Python code of a module remembers: nothing of it may change while games are played."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType, ModuleType

from bastide.homes import Home
from bastide.rules.module import Module

Kept = Mapping[str, str]
PLAIN = (int, str, float, bytes, bytearray, type(None))


def everything_kept(home: Home, modules: Sequence[Module]) -> Kept:
    """All that could change, by name, as texts. A compiled module has no attributes that can be listed."""
    found: dict[str, str] = {}
    for module in modules:
        name = type(module).__name__
        for attribute, value in getattr(module, "__dict__", {}).items():
            found[f"{name}.{attribute}"] = told(value, home)
    for python in own_python(home):
        found.update({f"{python.__name__}: {name}": value for name, value in of_file(python, home)})
    return found


def changed(before: Kept, now: Kept) -> str:
    """The names of what changed."""
    return ", ".join(name for name in {**before, **now} if before.get(name) != now.get(name))


def own_python(home: Home) -> list[ModuleType]:
    """The Python files of a module that are loaded."""
    package = home.package
    return [
        found
        for name, found in list(sys.modules.items())
        if (name == package or name.startswith(f"{package}.")) and found
    ]


def of_file(python: ModuleType, home: Home) -> Iterator[tuple[str, str]]:
    """The globals of a file, the attributes of its classes, the defaults of its functions."""
    for name, value in list(vars(python).items()):
        if name.startswith("__") or isinstance(value, ModuleType):
            continue
        if isinstance(value, type):
            if value.__module__ == python.__name__:
                yield from ((f"{name}.{inner}", text) for inner, text in of_class(value, home))
        elif isinstance(value, FunctionType):
            yield name, told(value.__defaults__, home)
        else:
            yield name, told(value, home)


def of_class(kind: type, home: Home) -> Iterator[tuple[str, str]]:
    """The attributes of a class, and the defaults of its methods."""
    for name, value in list(vars(kind).items()):
        if isinstance(value, FunctionType):
            yield name, told(value.__defaults__, home)
        elif not name.startswith("__"):
            yield name, told(value, home)


def told(value: object, home: Home, around: tuple[int, ...] = ()) -> str:
    """A value as text: plain ones, collections of them, and objects whose class the module itself has."""
    if isinstance(value, PLAIN):
        return repr(value)
    if id(value) in around:
        return "..."
    around = (*around, id(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{told(k, home, around)}: {told(v, home, around)}' for k, v in value.items())}}}"
    if isinstance(value, list | tuple | set | frozenset):
        return f"[{', '.join(told(item, home, around) for item in value)}]"
    kind = type(value)
    if kind.__module__.startswith(home.package):
        return f"{kind.__name__} {told(getattr(value, '__dict__', {}), home, around)}"
    return kind.__name__
