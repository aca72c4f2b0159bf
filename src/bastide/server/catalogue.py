"""What can be played: modules with their words, editions, presets, bots; the numbered rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from bastide import rulebook
from bastide.art.theme import themes
from bastide.bots import names as bot_names
from bastide.game.game import COLOURS
from bastide.rules.build import compiled
from bastide.rules.choose import BASE, choose
from bastide.rules.registry import presets, specs
from bastide.rules.spec import Option, Spec
from bastide.rules.texts import LANGUAGES, house_texts, texts
from bastide.server import responses
from bastide.server.drawings import drawings_of
from bastide.server.incoming import CHAT, NAME, NEEDED, SEATS, TITLE, WantedRules
from bastide.server.lessons import lessons
from bastide.server.refusal import Refusal
from bastide.server.setup import in_words, table_part

VERSION = 1  # of the protocol
EMOTES = ("hello", "well_played", "thanks", "sorry", "hurry", "wow", "oops", "thinking")


@cache
def catalogue() -> bytes:
    """Everything that a page must know before a table is made, as JSON."""
    known = specs().values()
    return msgspec.json.encode(
        {
            "version": VERSION,
            "modules": [module(spec) for spec in known],
            "editions": editions(),
            "presets": [preset(name) for name in presets()],
            "bots": bot_names(),
            "colours": COLOURS,
            "themes": list(themes()),
            "emotes": EMOTES,
            "clocks": list(NEEDED),
            "limits": {"name": NAME, "chat": CHAT, "title": TITLE, "seats": SEATS},
        }
    )


def module(spec: Spec) -> dict[str, Any]:
    """One module for people and page."""
    return {
        "name": spec.name,
        "texts": {language: texts(spec.name, language) for language in LANGUAGES},
        "options": [option(o) for o in spec.options],
        "house_rules": [
            option(o) | {"texts": {language: house_texts(spec, o.name, language) for language in LANGUAGES}}
            for o in spec.house_rules
        ],
        "standalone": spec.standalone,
        "players": spec.players,
        "prefix": spec.prefix,
        "rules": sum(rule.module == spec.name for rule in rules_by_id().values()),
        "lesson": spec.name in lessons(),
    }


def option(declared: Option) -> dict[str, Any]:
    """An option or a house rule for the page."""
    return {"name": declared.name, "values": declared.values, "rule": declared.rule}


def editions() -> list[dict[str, Any]]:
    """Named sets of options, with the modules that have them."""
    found: dict[str, dict[str, Any]] = {}
    for spec in specs().values():
        for name, options in spec.editions.items():
            entry = found.setdefault(name, {"name": name, "modules": [], "options": {}})
            entry["modules"].append(spec.name)
            if spec.game:
                entry["players"] = spec.fewest_and_most(name)
            entry["options"].update(options)
    return list(found.values())


def preset(name: str) -> dict[str, Any]:
    """A named choice."""
    chosen = presets()[name]
    return {
        "name": name,
        "edition": chosen.get("edition", ""),
        "modules": chosen.get("modules", []),
        "options": chosen.get("options", {}),
        "table": chosen.get("table"),
        "picture": chosen.get("picture", BASE),
        "texts": {language: preset_texts(name, language) for language in LANGUAGES},
    }


def preset_texts(name: str, language: str) -> dict[str, str]:
    """The `name` and `summary` of a preset, if the module that brings it has them; of ours the page has them."""
    found = (texts(module, language).get("presets", {}).get(name) for module in specs())
    return next((words for words in found if words), {})


def resolve_choice(wanted: WantedRules) -> responses.Chosen:
    """What a choice comes to; refused if it cannot be played."""
    rules = compiled(choose(wanted.edition, wanted.modules, wanted.players, wanted.preset, wanted.options))
    return responses.Chosen(
        edition=rules.edition,
        modules=list(rules.module_names),
        options=rules.options,
        tiles=sum(tile.count for tile in rules.tiles),
        players=int(rules.players),
        pieces={piece.name: piece.count for piece in rules.layout.pieces},
        table=table_part(wanted.preset),
        drawings=drawings_of(rules),
        told=in_words(rules.choice),
    )


@cache
def rules_by_id(language: str = "en") -> dict[str, rulebook.Rule]:
    """The numbered rules."""
    return rulebook.load(language)


def rules_of(modules: Sequence[str], language: str) -> list[responses.Rule]:
    """The rules of some modules, or of all."""
    book = rules_by_id(language)
    known = {rule.module for rule in book.values()}
    for name in modules:
        if name not in known:
            raise Refusal("module", f"no rules of a module {name!r}; there are {', '.join(sorted(known))}")
    return [rule_response(rule) for rule in book.values() if not modules or rule.module in modules]


def rule_of(name: str, language: str) -> responses.Rule:
    """One rule."""
    book = rules_by_id(language)
    if name not in book:
        raise Refusal("table", f"no rule has the id {name!r}")
    return rule_response(book[name])


def rule_response(rule: rulebook.Rule) -> responses.Rule:
    """A rule for the page."""
    return responses.Rule(rule.id, rule.module, rule.section, rule.text, list(rule.examples))
