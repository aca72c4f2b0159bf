"""Which game a saved game of JCloisterZone was: its sets, elements and rules as modules, options and house rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bastide.errors import ModuleError, OptionError
from bastide.notation.jcz_words import Dialect, Json
from bastide.rules.registry import find
from bastide.rules.spec import BASE, MOST_COPIES, OFF, ON, TILE_COUNTS, Option, Value
from bastide.tiles.catalogue import box

OLDER = ":1"  # ends the names of sets of a printing without gardens
TWIN = "g"  # ends the id of a tile that differs from the one without it only by a garden


class Setup:
    """The modules and options of a file. What no module here plays is refused by name, unless it changes nothing."""

    def __init__(self, dialect: Dialect, setup: Json, replay: Json, scripted: bool) -> None:
        self.dialect = dialect
        self.scripted = scripted  # then the bags do not matter
        self.notes: list[str] = []
        self.options: dict[str, Value] = {}
        self.older: dict[str, int] = {}  # how many of them are of a printing without gardens
        self.copies = self._copies(setup.get("sets"))
        self.elements = {name: element for name, element in setup.get("elements").members() if element.value}
        self._refuse_foreign(replay)
        known = [name for name in self.elements if name in dialect.module_of]
        named = [*self.copies, *(dialect.module_of[name] for name in known)]
        self.all_modules = tuple(dict.fromkeys([BASE, *named]))
        self.modules = tuple(name for name in self.all_modules if name != BASE)
        self._set_copies()
        self._set_elements()
        self._set_rules(setup.get("rules", {}))
        if not scripted and self.options.get("gardens") == ON:
            self._set_printing()

    def _copies(self, sets: Json) -> dict[str, int]:
        """How many copies of the box of each module are in play."""
        found: dict[str, int] = {}
        for name, number in sets.members():
            if name not in self.dialect.sets:
                raise ModuleError(f"this game needs the box {name!r}, which is not here")
            if number.number() > 0:
                module = self.dialect.sets[name]
                found[module] = found.get(module, 0) + number.number()
                if name.endswith(OLDER):
                    self.older[module] = self.older.get(module, 0) + number.number()
                if found[module] > MOST_COPIES and not self.scripted:
                    number.refuse(f"at most {MOST_COPIES} copies of the box")
        return found

    def _refuse_foreign(self, replay: Json) -> None:
        """Elements of boxes that are not here: refused, unless they act only through tiles or messages that are not."""
        used = set(_words_named(replay))
        for name in self.elements:
            if name in self.dialect.module_of:
                continue
            word = self.dialect.by_message.get(name)
            if name not in self.dialect.tile_bound and (word is None or word in used):
                raise ModuleError(f"this game needs {name!r}, which no box here has")
            self._note(f"changes nothing in this game: {name}")

    def _set_copies(self) -> None:
        """HOUSE-4: elements may be in play without the tiles of their box."""
        for name in self.all_modules:
            spec = find(name)
            if spec.boxes:
                fewest = 1 if spec.game else 0
                self.options[spec.copies] = max(fewest, min(self.copies.get(name, 0), MOST_COPIES))

    def _set_elements(self) -> None:
        """HOUSE-3, HOUSE-6: numbers of pieces, and what is switched off because it is absent."""
        dialect = self.dialect
        for module in self.all_modules:
            self.options |= dialect.always.get(module, {})
        for name, house_rule in dialect.numbers.items():
            if dialect.module_of[name] in self.all_modules:
                self.options[house_rule] = self._number(name, house_rule)
        for name, house_rule in dialect.switches.items():
            if dialect.module_of[name] in self.all_modules:
                self.options[house_rule] = ON if name in self.elements else OFF
        for name, absent in dialect.without.items():
            if name not in self.elements:
                self.options |= absent

    def _number(self, name: str, house_rule: str) -> Value:
        """How many of a piece every player has; an absent one is not in the game."""
        option = self._option(name, house_rule)
        element = self.elements.get(name)
        try:
            return option.check(element.number() if element else 0)
        except OptionError:
            if element:
                element.refuse(option.expected)
            raise ModuleError(f"this game is played without {name!r}, which cannot be done here") from None

    def _option(self, element: str, house_rule: str) -> Option:
        rules = find(self.dialect.module_of[element]).house_rules
        return next(option for option in rules if option.name == house_rule)

    def _set_rules(self, rules: Json) -> None:
        """Switches in the rules; those about boxes that are not in play are noted."""
        for name, rule in rules.members():
            values = self.dialect.rules.get(name, {})
            if self.dialect.module_of.get(name) not in self.all_modules:
                self._note(f"means nothing with these boxes: rule {name} {rule.word()}")
            elif rule.word() not in values:
                rule.refuse(" or ".join(values))
            else:
                self.options |= values[rule.word()]

    def _set_printing(self) -> None:
        """HOUSE-5: copies of older printings have the plain tile where newer ones have it with a garden."""
        counts: dict[str, int] = {}
        for module, older in self.older.items():
            for printed in map(box, find(module).boxes):
                each = {tile.id: tile.count for tile in printed.tiles}
                for garden in (tile + TWIN for tile in each if tile + TWIN in each):
                    plain = garden.removesuffix(TWIN)
                    counts[plain] = each[plain] * self.copies[module] + each[garden] * older
                    counts[garden] = each[garden] * (self.copies[module] - older)
        if counts:
            self.options[TILE_COUNTS] = "+".join(f"{tile}={count}" for tile, count in counts.items())

    def _note(self, text: str) -> None:
        self.notes.append(f"# {Json(text, '').line()}")

    def unusual(self) -> dict[str, Value]:
        """The options without those that say nothing new."""
        usual = {option.name: option.values[0] for name in self.all_modules for option in find(name).all_options}
        return {name: value for name, value in self.options.items() if value != usual[name]}


def _words_named(replay: Json) -> Iterator[str]:
    """The words in the names of all pieces, tokens and tiles of the messages: `small` for `0.small.1`."""
    for message in replay.items():
        payload = message.value.get("payload") if isinstance(message.value, dict) else None
        for key in ("meepleId", "figureId", "token", "tileId"):
            name = payload.get(key) if isinstance(payload, dict) else None
            if isinstance(name, str):
                yield from re.findall(r"[a-z-]+", name.lower())
