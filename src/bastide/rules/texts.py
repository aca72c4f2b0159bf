"""What modules are called and say, in each language: their texts.json, and whether anything is missing."""
# interpreted: speaks to people

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from bastide.errors import ModuleError, OptionError
from bastide.rules.registry import HOME, find
from bastide.rules.rules import Rules

LANGUAGES = ("en", "fr")


def texts(module: str, language: str = "en") -> Mapping[str, Any]:
    """The texts of a module in a language: `name`, `summary`, then words by group."""
    if language not in LANGUAGES:
        raise OptionError(f"language: expected one of {', '.join(LANGUAGES)}, got {language!r}")
    found: Mapping[str, Any] = _loaded(module)[language]
    return found


@cache
def _loaded(module: str) -> Mapping[str, Any]:
    find(module)
    try:
        loaded: Mapping[str, Any] = json.loads(files(f"{HOME}.{module}").joinpath("texts.json").read_text("utf-8"))
    except (FileNotFoundError, ModuleNotFoundError, ValueError) as wrong:
        raise ModuleError(f"{module}/texts.json: expected texts; {wrong}") from wrong
    for language in LANGUAGES:
        if language not in loaded:
            raise ModuleError(f"{module}/texts.json: expected texts in {language!r}")
    return loaded


def rule_ids(rules: Rules, group: str, key: str) -> list[str]:
    """Where the rule books of the modules in play speak of a question, a verb, a piece or a place of their own."""
    return [
        found for module in rules.module_names for found in _loaded(module).get("rules", {}).get(group, {}).get(key, ())
    ]


def word(rules: Rules, group: str, key: str, language: str = "en") -> str:
    """How something is called that a module in play declared; its own name if no text has it."""
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
        for option in find(module).options:
            have = texts(module, language).get("options", {}).get(option.name, {})
            for key in ("name", *map(str, option.values)):
                if key not in have:
                    yield f"options: {module} {option.name} {key}"
        for key in ("name", "summary"):
            if not texts(module, language).get(key):
                yield f"{key} of {module}"
