"""What can be played: modules with their words, editions, presets, bots; the numbered rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

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
from bastide.server.api import contents, responses
from bastide.server.api.incoming import CHAT, NAME, NEEDED, SEATS, TITLE, WantedRules
from bastide.server.api.refusal import Refusal
from bastide.server.content.drawings import drawings_of
from bastide.server.content.lessons import lessons
from bastide.server.content.rule_pictures import pages
from bastide.server.tables.setup import describe_choice, table_part

VERSION = 2  # of the protocol
EMOTES = ("hello", "well_played", "thanks", "sorry", "hurry", "wow", "oops", "thinking")


@cache
def catalogue() -> bytes:
    """Everything that a page must know before a table is made, as JSON."""
    return msgspec.json.encode(
        contents.Catalogue(
            version=VERSION,
            game=BASE,
            modules=[module(spec) for spec in specs().values()],
            editions=editions(),
            presets=[preset(name) for name in presets()],
            bots=list(bot_names()),
            colours=COLOURS,
            themes=list(themes()),
            emotes=EMOTES,
            clocks=list(NEEDED),
            limits=contents.LongestTexts(NAME, CHAT, TITLE, SEATS),
        )
    )


def module(spec: Spec) -> contents.Module:
    """One module for people and page."""
    return contents.Module(
        name=spec.name,
        texts={language: dict(texts(spec.name, language)) for language in LANGUAGES},
        options=[contents.Option(o.name, o.values, o.rule) for o in spec.options],
        house_rules=[house_rule(spec, o) for o in spec.house_rules],
        standalone=spec.standalone,
        players=spec.players,
        prefix=spec.prefix,
        rules=sum(rule.module == spec.name for rule in rules_by_id().values()),
        lesson=spec.name in lessons(),
        pictures=spec.name in pages(),
    )


def house_rule(spec: Spec, declared: Option) -> contents.HouseRule:
    """A house rule with its words."""
    words = {language: dict(house_texts(spec, declared.name, language)) for language in LANGUAGES}
    return contents.HouseRule(declared.name, declared.values, declared.rule, words)


def editions() -> list[contents.Edition]:
    """Named sets of options, with the modules that have them."""
    found: dict[str, contents.Edition] = {}
    for spec in specs().values():
        for name, options in spec.editions.items():
            before = found.get(name, contents.Edition(name, [], {}))
            players = spec.fewest_and_most(name) if spec.game else before.players
            found[name] = contents.Edition(name, [*before.modules, spec.name], {**before.options, **options}, players)
    return list(found.values())


def preset(name: str) -> contents.Preset:
    """A named choice."""
    chosen = presets()[name]
    return contents.Preset(
        name=name,
        edition=chosen.get("edition", ""),
        modules=list(chosen.get("modules", [])),
        options=dict(chosen.get("options", {})),
        table=msgspec.convert(chosen.get("table"), contents.PresetTable | None),
        picture=chosen.get("picture", BASE),
        texts={language: preset_texts(name, language) for language in LANGUAGES},
    )


def preset_texts(name: str, language: str) -> dict[str, str]:
    """The `name` and `summary` of a preset, if a module has them."""
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
        told=describe_choice(rules.choice),
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
