"""The names and sentences of modules in each language, from their texts.json, and which of them are missing."""
# interpreted: speaks to people

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bastide.errors import OptionError
from bastide.homes import OURS, homes, per_modules
from bastide.rules.choose import unusual
from bastide.rules.registry import find
from bastide.rules.rules import Rules
from bastide.rules.spec import Choice, Option, Spec, Value

ENGLISH = "en"  # every module has these texts
LANGUAGES = (ENGLISH, "fr")


def texts(module: str, language: str = "en") -> Mapping[str, Any]:
    """The texts of a module in a language, English if it has no other: `name`, `summary`, then words by group."""
    if language not in LANGUAGES:
        raise OptionError(f"language: expected one of {', '.join(LANGUAGES)}, got {language!r}")
    loaded = _loaded(module)
    found: Mapping[str, Any] = loaded.get(language) or loaded[ENGLISH]
    return found


def languages(module: str) -> list[str]:
    """The languages that a module has texts in."""
    return [language for language in LANGUAGES if language in _loaded(module)]


@per_modules
def _loaded(module: str) -> Mapping[str, Any]:
    find(module)
    home = homes()[module]
    loaded: object = home.json("texts.json")
    if not isinstance(loaded, dict) or not isinstance(loaded.get(ENGLISH), dict):
        raise home.unusable(f"texts.json: expected texts, at least in {ENGLISH!r}")
    unknown = loaded.keys() - {*LANGUAGES, "rules"}
    if unknown:
        expected = f"the languages {', '.join(LANGUAGES)}, and rules"
        raise home.unusable(f"texts.json: expected {expected}, got {', '.join(sorted(unknown))}")
    return loaded


@dataclass(frozen=True)
class Description:
    """Which game is played, in words for people: the edition, the boxes, what is not as the books say."""

    edition: str
    boxes: tuple[str, ...]
    house_rules: tuple[str, ...]  # a sentence each

    def __str__(self) -> str:
        played = ", ".join(self.boxes) + (f" ({self.edition})" if self.edition else "")
        return " ".join([f"{played}.", *self.house_rules]) if self.house_rules else played


def describe(choice: Choice, language: str = "en") -> Description:
    """A choice of rules in words."""
    edition = texts(choice.specs[0].name, language).get("editions", {}).get(choice.edition, "")
    boxes = tuple(str(texts(spec.name, language)["name"]) for spec in choice.specs)
    changed = unusual(choice)
    said = [
        sentence(spec, option, changed[option.name], language)
        for spec in choice.specs
        for option in spec.all_options
        if option.name in changed
    ]
    return Description(edition, boxes, tuple(said))


def sentence(spec: Spec, option: Option, value: Value, language: str) -> str:
    """The sentence for an option that differs from its edition."""
    own = texts(spec.name, language).get("options", {}).get(option.name)
    house = {} if own else house_texts(spec, option.name, language)
    if house.get("says"):
        return house["says"]
    name = own["name"] if own else house["name"]
    return str(_common(language)["number"]).format(name=name, n=own[str(value)] if own else value)


def house_texts(spec: Spec, name: str, language: str = "en") -> dict[str, str]:
    """The `name` of a house rule, and the sentence it `says` when it is set. Numbers of pieces have no sentence."""
    own = texts(spec.name, language)
    found = own.get("house", {}).get(name) or _common(language).get("copies" if name == spec.copies else name, {})
    return {key: str(text).format(box=own["name"]) for key, text in found.items()}


@per_modules
def _common(language: str) -> Mapping[str, Any]:
    """The texts of house rules that every game has."""
    found: Mapping[str, Any] = json.loads(OURS.joinpath("house.json").read_text("utf-8"))[language]
    return found


def rule_ids(rules: Rules, group: str, key: str) -> list[str]:
    """Where the rule books of the modules in play speak of a question, a verb, a piece or a place of their own."""
    return [
        found for module in rules.module_names for found in _loaded(module).get("rules", {}).get(group, {}).get(key, ())
    ]


def word(rules: Rules, group: str, key: str, language: str = "en") -> str:
    """The text for something that a module in play declared; its own name if there is no text."""
    for module in rules.module_names:
        found = texts(module, language).get(group, {}).get(key)
        if found:
            return str(found)
    return key.replace("_", " ")


def missing(rules: Rules, language: str) -> Iterator[str]:
    """Everything declared by the modules in play for which no text is there."""
    layout = rules.layout
    wanted = {
        "kinds": list(layout.kinds),
        "pieces": [piece.name for piece in layout.pieces],
        "parts": [name for name, _ in layout.parts],
        "sources": layout.sources,
        "prompts": [frame.name for frame in layout.frames],
        "reasons": [code for code, _ in layout.reasons],
    }
    known = [texts(module, language) for module in rules.module_names]
    for group, keys in wanted.items():
        for key in keys:
            if not any(key in have.get(group, {}) for have in known):
                yield f"{group}: {key}"
    asked = {"place", "deploy", *(frame.name for frame in layout.frames if not frame.chance)}
    yield from (f"rules: prompts {prompt}" for prompt in sorted(asked) if not rule_ids(rules, "prompts", prompt))
    for module in rules.module_names:
        spec = find(module)
        for option in spec.options:
            have = texts(module, language).get("options", {}).get(option.name, {})
            for key in ("name", *map(str, option.values)):
                if key not in have:
                    yield f"options: {module} {option.name} {key}"
        elements = {element.name for element in spec.elements}
        for option in spec.house_rules:
            have = house_texts(spec, option.name, language)
            for key in ("name", "says") if option.name in elements else ("name",):
                if key not in have:
                    yield f"house: {module} {option.name} {key}"
        for key in ("name", "summary"):
            if not texts(module, language).get(key):
                yield f"{key} of {module}"
