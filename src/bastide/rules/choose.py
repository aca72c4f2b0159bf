"""Resolves what people ask for (edition, preset, boxes, options) into one Choice, or says what is wrong."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bastide.errors import ModuleError, OptionError
from bastide.kernel.offsets import PLAYERS
from bastide.rules.registry import find, presets
from bastide.rules.registry import specs as all_specs
from bastide.rules.spec import BASE as BASE
from bastide.rules.spec import MORE_PLAYERS, ON, Choice, Option, Spec, Value

SOLO = 1  # player: any game can be played alone (HOUSE-2)


def choose(
    edition: str,
    modules: Sequence[str | Spec],
    players: int,
    preset: str,
    options: Mapping[str, Value],
    scripted: bool = False,
) -> Choice:
    """Starts from the preset: options given besides override its own, and modules are added to its own."""
    wanted: dict[str, Value] = {}
    named = checked_modules(modules)
    if preset:
        chosen = presets().get(preset)
        if chosen is None:
            raise OptionError(f"unknown preset {preset!r}; there are {', '.join(presets())}")
        edition = edition or str(chosen.get("edition", ""))
        named = [*chosen.get("modules", ()), *named]
        wanted |= chosen.get("options", {})
    specs = in_order(named)
    resolved = resolve(specs, edition, {**wanted, **options})
    used = edition or next(iter(specs[0].editions), "")
    check_players(specs[0].fewest_and_most(used), players, resolved[MORE_PLAYERS] == ON)
    return Choice(used, tuple(specs), players, tuple(sorted(resolved.items())), scripted)


def checked_modules(modules: Sequence[str | Spec]) -> list[str | Spec]:
    """The modules as a list. A single string is refused: it would be read as a list of letters."""
    named = list(modules) if isinstance(modules, Iterable) and not isinstance(modules, str) else None
    if named is None or not all(isinstance(module, str | Spec) for module in named):
        raise ModuleError(f"modules: expected a list of names, got {modules!r}")
    return named


def in_order(named: Sequence[str | Spec]) -> list[Spec]:
    """The modules in the order of their hooks, the base game added unless one is a game of its own."""
    found = {spec.name: spec for spec in (find(m) if isinstance(m, str) else m for m in named)}
    alone = [spec.name for spec in found.values() if spec.standalone]
    if not alone:
        found.setdefault(BASE, find(BASE))
    elif len(found) > 1:
        others = ", ".join(name for name in found if name != alone[0])
        raise ModuleError(f"{alone[0]} is a game of its own and is not combined with {others}")
    return sorted(found.values(), key=lambda spec: (spec.order, spec.name))


def resolve(specs: Sequence[Spec], edition: str, given: Mapping[str, Value]) -> dict[str, Value]:
    """The value of every option of the modules in play: as given, else the edition's, else the default."""
    known: dict[str, Option] = {option.name: option for spec in specs for option in spec.all_options}
    editions = specs[0].editions
    if edition and edition not in editions:
        raise OptionError(f"unknown edition {edition!r}; there are {', '.join(editions) or 'none'}")
    values: dict[str, Value] = {name: option.values[0] for name, option in known.items()}
    for spec in specs:
        values |= spec.editions.get(edition or next(iter(editions), ""), {})
    for name, value in given.items():
        if name not in known:
            for other in all_specs().values():
                if any(option.name == name for option in other.all_options):
                    raise OptionError(f"option {name!r} belongs to {other.name}, which is not in this game")
            raise OptionError(f"unknown option {name!r}; with these modules there are {', '.join(known)}")
        values[name] = known[name].check(value)
    return values


def unusual(choice: Choice) -> dict[str, Value]:
    """The options of a choice that differ from its edition: those that a record or an address must contain."""
    usual = resolve(choice.specs, choice.edition, {})
    return {name: value for name, value in choice.options if usual[name] != value}


def check_players(made_for: tuple[int, int], players: int, more: bool) -> None:
    """Refuses a number of players that the box is not made for, unless a house rule allows more."""
    fewest, most = made_for[0], PLAYERS if more else made_for[1]
    if type(players) is int and (players == SOLO or fewest <= players <= most):
        return
    allowed = f"{fewest} to {most}, or {SOLO} alone"
    if isinstance(players, int) and most < players <= PLAYERS:
        allowed += f" (the house rule {MORE_PLAYERS}={ON} allows up to {PLAYERS})"
    raise OptionError(f"players: expected {allowed}, got {players!r}")
