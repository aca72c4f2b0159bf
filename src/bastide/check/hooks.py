"""The hooks of a module: their names, their parameters, and what they return while games are played."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import bastide
from bastide.check.finding import Broken, Finding
from bastide.homes import Home
from bastide.rules.actions import Action
from bastide.rules.layout import Layout
from bastide.rules.module import Module, Token
from bastide.rules.rules import Rules, overriding

HOOKS: Final = frozenset(name for name in dir(Module) if not name.startswith("_"))
ALIKE: Final = 0.8  # similarity from which a method's name counts as a misspelt hook


def own_modules(home: Home, rules: Rules) -> list[Module]:
    """Those of the modules in play whose classes are in this folder."""
    return [module for module in rules.modules if type(module).__module__.startswith(f"{home.package}.")]


class Form(NamedTuple):
    """How a hook is written: its parameters, and the type that it returns."""

    parameters: tuple[str, ...]
    returns: str

    def written(self, name: str) -> str:
        """The first line of the hook."""
        return f"def {name}({', '.join(self.parameters)})"


@cache
def forms() -> dict[str, Form]:
    """Every hook as rules/module.py has it. Read from the source: compiled methods do not tell their parameters."""
    tree = ast.parse((Path(bastide.__file__).parent / "rules/module.py").read_text("utf-8"))
    [module] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == Module.__name__]
    return {
        node.name: Form(
            tuple(argument.arg for argument in node.args.args), ast.unparse(node.returns or ast.Constant(0))
        )
        for node in module.body
        if isinstance(node, ast.FunctionDef)
    }


def check_hooks(modules: Sequence[Module]) -> Iterator[Finding]:
    """No method has almost the name of a hook, no attribute hides one, and all have the parameters they are given."""
    for module in modules:
        where = f"rules.py, {type(module).__name__}"
        for name in dir(module):
            meant = get_close_matches(name, HOOKS, 1, ALIKE)
            if name not in HOOKS and meant and callable(getattr(module, name)):
                says = f"expected the hook {meant[0]!r} or another name, got the method {name!r}"
                yield Finding("names", where, says)
        yield from (Finding("names", where, says) for says in unlike(module))


# What must be declared for a hook to be called: who is asked, from a layout.
ASKED: Final[Mapping[str, tuple[str, Callable[[Layout], Iterable[Module]]]]] = {
    **dict.fromkeys(("may_place", "narrow"), ("restricts", lambda layout: (owner for owner, _ in layout.filters))),
    **dict.fromkeys(
        ("adjust", "bonus"), ("adjusts", lambda layout: (m for kind in layout.kinds.values() for m in kind.adjusters))
    ),
    "score": ("kind", lambda layout: (kind.owner for kind in layout.kinds.values())),
    **dict.fromkeys(("legal", "apply"), ("frame", lambda layout: (frame.owner for frame in layout.frames))),
    "may_deploy_own": ("piece", lambda layout: (piece.owner for piece in layout.pieces if not piece.weight)),
    "deploy_at": ("target", lambda layout: layout.targets),
}


def check_asked(modules: Sequence[Module], layouts: Sequence[Layout]) -> Iterator[Finding]:
    """What a hook needs to be called is declared, with some value of the options."""
    for module in modules:
        kind = type(module)
        for hook, (call, owners) in ASKED.items():
            asked = any(type(owner) is kind for layout in layouts for owner in owners(layout))
            if not asked and overriding([module], hook):
                says = f"expected `layout.{call}` in `declare`, without which the hook {hook!r} is never called"
                yield Finding("names", f"rules.py, {kind.__name__}", says)


def unlike(module: Module) -> Iterator[str]:
    """How the hooks of a module differ from what the engine calls. Of compiled ones the compiler has seen to it."""
    for name, form in forms().items():
        hook = getattr(module, name)
        if not callable(hook):
            yield f"expected another name for the attribute {name!r}, for a hook is called so"
            continue
        try:
            signature = inspect.signature(hook)
        except ValueError:
            continue
        try:
            signature.bind(*form.parameters[1:])
        except TypeError:
            yield f"expected {form.written(name)}, got def {name}{written(signature)}"


def written(signature: inspect.Signature) -> str:
    """The parameters of a method, with `self` and without types."""
    return f"({', '.join(('self', *signature.parameters))})"


# --- what they return


@contextmanager
def watching(modules: Sequence[Module]) -> Iterator[None]:
    """In this block what the hooks of these modules return is looked at, of those that are plain Python."""
    watched = [module for module in modules if hasattr(module, "__dict__")]
    before = [dict(vars(module)) for module in watched]
    for module in watched:
        for name in forms():
            if getattr(type(module), name) is not getattr(Module, name):
                setattr(module, name, partial(called, module, name, getattr(module, name)))
    try:
        yield
    finally:
        for module, kept in zip(watched, before, strict=True):
            vars(module).clear()
            vars(module).update(kept)


def called(module: Module, name: str, hook: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a hook and looks at what it returns."""
    returned = hook(*arguments)
    expected = wrong_return(forms()[name].returns, returned)
    if expected:
        where = f"`{name}` of {type(module).__name__}"
        raise Broken("returns", f"expected {where} to return {expected}, got {returned!r}")
    return returned


def wrong_return(declared: str, returned: object) -> str:
    """What a hook should have returned; empty if it did."""
    match declared:
        case "i64":
            return "" if type(returned) is int else "a number"
        case "str":
            return "" if isinstance(returned, str) else "a text"
        case "Action":
            return "" if isinstance(returned, Action) else "an Action"
        case "list[Token]":
            good = isinstance(returned, list) and all(isinstance(token, Token) for token in returned)
            return "" if good else "a list of Token"
    return ""
