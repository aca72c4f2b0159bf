"""The words of a module in each language: whether they are texts, in groups that are used, and tell things apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any, Final

from bastide.check.declared import layout_of, settings
from bastide.check.finding import Finding
from bastide.homes import Home
from bastide.rules.actions import FIELDS
from bastide.rules.registry import specs
from bastide.rules.spec import Spec
from bastide.rules.texts import LANGUAGES, texts

TEXTS: Final = "texts.json"
SINGLE: Final = ("name", "summary")
OF_RULES: Final = ("prompts", "verbs", "pieces", "places")
# What else a language may have, with the places for words that its texts may have.
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("kinds", "pieces", "parts", "sources", "prompts", "reasons", "choices", "marks", "tokens"), ()),
    **dict.fromkeys(("places", "hints", "options", "presets", "editions"), ()),
    "house": ("box",),
    "moments": ("name", "value"),
}
ENGINE_ASKS: Final = ("draw", "place", "deploy")


def spoken(home: Home) -> list[str]:
    """The languages in which a module has texts, if they can be read."""
    content = home.json(TEXTS) or {}
    return [language for language in LANGUAGES if isinstance(content.get(language), dict)]


def check_words(home: Home, spec: Spec) -> Iterator[Finding]:
    """Everything in texts.json is a text that can be shown."""
    content: Mapping[str, Any] = home.json(TEXTS) or {}
    asked = {*ENGINE_ASKS, *(frame.name for options in settings(spec) for frame in layout_of(spec, options).frames)}
    for language in spoken(home):
        said = content[language]
        yield from (Finding("texts", f"{TEXTS}, {language}", says) for says in wrong_words(said, asked))
        yield from names_of_others(spec, language, said.get("name"))
    rules = content.get("rules", {})
    for group in rules.keys() - {*OF_RULES}:
        yield Finding("texts", f"{TEXTS}, rules", f"expected one of {', '.join(OF_RULES)}, got {group!r}")
    pieces = {piece.name for other in specs().values() for piece in layout_of(other, {}).pieces}
    pieces |= {name for language in spoken(home) for name in content[language].get("pieces", {})}  # a figure of nobody
    known = {"prompts": asked, "verbs": {*FIELDS}, "pieces": pieces}
    for group, names in known.items():
        for name in rules.get(group, {}).keys() - names:
            says = f"expected {group} that there are ({', '.join(sorted(names))}), got {name!r}"
            yield Finding("texts", f"{TEXTS}, rules", says)


def wrong_words(said: Mapping[str, Any], asked: set[str]) -> Iterator[str]:
    """What is wrong with the texts of one language."""
    for group, content in said.items():
        if group not in (*SINGLE, *GROUPS):
            yield f"expected one of {', '.join((*SINGLE, *GROUPS))}, got {group!r}"
            continue
        if group not in SINGLE and not isinstance(content, dict):
            yield f"{group}: expected an object of texts by name, got {content!r}"
            continue
        for where, text in leaves(group, content):
            if not isinstance(text, str) or not text.strip():
                yield f"{where}: expected a text, got {text!r}"
            else:
                yield from (f"{where}: {says}" for says in wrong_places(text, GROUPS.get(group, ())))
    for group in ("hints", "prompts"):
        for name in said.get(group, {}):
            if name not in asked:
                yield f"{group}: expected questions that there are ({', '.join(sorted(asked))}), got {name!r}"
    choices = said.get("choices")
    seen: dict[object, str] = {}
    for name, text in choices.items() if isinstance(choices, dict) else ():
        if str(text) in seen:
            yield f"choices: expected different texts for {seen[str(text)]!r} and {name!r}, got {text!r} for both"
        seen[str(text)] = name


def leaves(where: str, content: object) -> Iterator[tuple[str, object]]:
    """All texts below a name, each with the way to it."""
    if isinstance(content, dict):
        for name, inner in content.items():
            yield from leaves(f"{where}: {name}", inner)
    else:
        yield where, content


def wrong_places(text: str, allowed: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with the places for words in a text, such as {name}."""
    try:
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError as error:
        yield f"expected braces in pairs, got {text!r}: {error}"
        return
    for name in names:
        if name not in allowed:
            expected = f"no place for a word but {', '.join(f'{{{a}}}' for a in allowed)}" if allowed else "no braces"
            yield f"expected {expected}, got {{{name}}}"


def names_of_others(spec: Spec, language: str, name: object) -> Iterator[Finding]:
    """No two modules have one name."""
    for other in specs():
        if other != spec.name and texts(other, language).get("name") == name:
            yield Finding("texts", f"{TEXTS}, {language}", f"expected a name of its own, got {name!r}, as {other} has")
