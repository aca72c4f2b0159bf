"""The Spec of a module: its names and numbers, its options, and the modules that it makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from bastide.check.declared import NAME, OFFSET, SUMS, Options, settings, twice, usual_players
from bastide.check.finding import Finding, blame
from bastide.check.hooks import HOOKS
from bastide.errors import BastideError
from bastide.homes import Home
from bastide.kernel.offsets import PLAYERS
from bastide.rules.choose import in_order, resolve
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.registry import specs
from bastide.rules.spec import MOST_PIECES, Spec, Value
from bastide.tiles import boxes

PREFIX: Final = re.compile(r"[A-Z][A-Z0-9]*")


def check_spec(spec: Spec) -> Iterator[Finding]:
    """Names, numbers, options and editions."""

    def wrong(says: str) -> Finding:
        return Finding("spec", "rules.py, MODULE", says)

    others = [other for other in specs().values() if other.name != spec.name]
    if not NAME.fullmatch(spec.name):
        yield wrong(f"expected a name of small letters, digits and _, got {spec.name!r}")
    if not PREFIX.fullmatch(spec.prefix):
        yield wrong(f"expected a prefix of capital letters and digits for its rule ids, got {spec.prefix!r}")
    for other in others:
        if other.prefix == spec.prefix:
            yield wrong(f"expected a prefix of its own, got {spec.prefix!r}, which {other.name} has")
    fewest, most = spec.players
    if not 1 <= fewest <= most <= PLAYERS:
        yield wrong(f"players: expected two numbers from 1 to {PLAYERS}, the smaller first, got {spec.players}")
    declared = spec.all_options
    for name in twice(option.name for option in declared):
        yield wrong(f"expected options of different names, got {name!r} twice")
    theirs = {
        option.name: other.name
        for other in others
        if not spec.standalone and not other.standalone
        for option in other.all_options
    }
    for option in declared:
        if not NAME.fullmatch(option.name):
            yield wrong(f"option {option.name!r}: expected a name of small letters, digits and _")
        if option.name in theirs:
            yield wrong(f"option {option.name!r}: expected a name of its own, got one that {theirs[option.name]} has")
    for option in spec.options:
        if len(set(map(str, option.values))) < max(2, len(option.values)):
            yield wrong(f"option {option.name!r}: expected at least two different values, got {option.values}")
        for value in option.values:
            if type(value) is not int and not (isinstance(value, str) and NAME.fullmatch(value)):
                yield wrong(f"option {option.name!r}: expected numbers or names of small letters, got {value!r}")
    games = [spec] if spec.game else [other for other in others if other.game and not other.standalone]
    editions = {name for game in games for name in game.editions}
    for edition, options in spec.editions.items():
        if edition not in editions:
            yield wrong(f"edition {edition!r}: expected one of {', '.join(sorted(editions))}")
        own = {option.name: option for option in declared}
        for name, value in options.items():
            if name not in own:
                yield wrong(f"edition {edition!r}: expected options of this module, got {name!r}")
            elif value not in own[name].values:
                yield wrong(f"edition {edition!r}, {name}: expected {own[name].expected}, got {value!r}")
    for edition, (fewest, most) in spec.edition_players.items():
        if edition not in editions or not 1 <= fewest <= most <= PLAYERS:
            yield wrong(f"edition_players: expected an edition and two numbers from 1 to {PLAYERS}, got {edition!r}")
    for hook in spec.orders.keys() - HOOKS:
        yield wrong(f"orders: expected the name of a hook, got {hook!r}")
    for name in twice(spec.boxes):
        yield wrong(f"boxes: expected each box once, got {name!r} twice")
    for piece in spec.pieces:
        if not 0 <= piece.least <= piece.usual <= MOST_PIECES:
            yield wrong(
                f"pieces, {piece.name}: expected a number from {piece.least} to {MOST_PIECES}, got {piece.usual}"
            )


class Watched(Mapping[str, Value]):
    """Options that remember which of them were asked for."""

    def __init__(self, values: Options) -> None:
        self.values_of = values
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Value:
        self.read.add(name)
        return self.values_of[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_of)

    def __len__(self) -> int:
        return len(self.values_of)


def check_options_read(spec: Spec) -> Iterator[Finding]:
    """Somebody asks for every option, and nobody for one that no module has."""
    read = set[str]().union(*(options_read([spec.name], options) for options in settings(spec)))
    known = {option.name for other in specs().values() for option in other.all_options}
    for name in sorted(read - known):
        yield Finding("spec", "rules.py", f"expected the name of an option that some module has, got {name!r}")
    for other in specs().values():  # an option may be there for another box
        if not spec.standalone and not other.game and other.name != spec.name:
            read |= options_read([spec.name, other.name], {})
    silent = {element.name for element in spec.elements if not element.marks and not element.kinds}
    for option in spec.all_options:
        if option.name not in read and (option in spec.options or option.name in silent):
            says = f"option {option.name!r}: expected rules that ask for its value; they never do"
            yield Finding("spec", "rules.py", says)


def options_read(names: list[str], options: Options) -> set[str]:
    """The options that these modules ask for when they are made and declare; none if they cannot be played together."""
    chosen = in_order(names)
    given, declared = (Watched(resolve(chosen, "", options)) for _ in range(2))
    try:
        modules = [module for one in chosen for module in one.make(given)]
        layout = Layout(declared, chosen, boxes(), usual_players(chosen[0]), OFFSET, SUMS)
        declared.read.clear()  # the layout itself has read all switches
        for module in modules:
            module.declare(layout)
    except BastideError:  # `check_names` says so
        return set()
    return given.read | declared.read


def check_made(home: Home, spec: Spec) -> Iterator[Finding]:
    """`make` makes new modules each time: those of other rules keep other numbers."""
    options = resolve(in_order([spec.name]), "", {})
    try:
        made = spec.make(options)
    except Exception as error:
        yield Finding("spec", "rules.py, make", f"expected no error, got {blame(error, home.folder)}")
        return
    if not isinstance(made, list) or not all(isinstance(module, Module) for module in made):
        yield Finding("spec", "rules.py, make", f"expected a list of modules, got {made!r}")
    elif {id(module) for module in made} & {id(module) for module in spec.make(options)}:
        yield Finding("spec", "rules.py, make", "expected new modules each time, got the same ones again")
