"""The files beside the rules: whether they can be read, have the form that is expected, and name what exists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from bastide import rulebook
from bastide.art.theme import themes
from bastide.check.declared import usual_players
from bastide.check.finding import Finding, blame
from bastide.check.wording import spoken
from bastide.errors import BastideError
from bastide.game import CHANCE, Game
from bastide.homes import Home
from bastide.notation.jcz_words import Dialect
from bastide.notation.record import read_record
from bastide.notation.replay import Replay
from bastide.rules.choose import choose
from bastide.rules.registry import PRESETS, specs
from bastide.rules.spec import BASE, Spec
from bastide.rules.texts import ENGLISH, LANGUAGES, texts

PUZZLES: Final = "puzzles.json"
COLOUR: Final = re.compile(r"#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-z]+(\(.*\))?")
PACKAGE: Final = "__init__.py"
WORDS: Final = "jcz.json"
LESSON: Final = "lesson.json"
FORMS: Final[Mapping[str, type]] = {
    "texts.json": dict,
    "palette.json": dict,
    PRESETS: dict,
    WORDS: dict,
    LESSON: dict,
    "pictures.json": list,
    PUZZLES: list,
}


def check_files(home: Home) -> Iterator[Finding]:
    """The folder is a package, and each of its files can be read. Nothing else can be checked before."""
    if not home.folder.joinpath(PACKAGE).is_file():
        yield Finding("files", PACKAGE, "expected this file, which makes the folder a package, got none")
    for name, form in FORMS.items():
        try:
            content = home.json(name)
        except BastideError as error:
            yield Finding("files", name, str(error))
            continue
        if content is not None and not isinstance(content, form):
            expected = "an object" if form is dict else "a list"
            yield Finding("files", name, f"expected {expected}, got {type(content).__name__}")
    for path in sorted(home.folder.glob("*.md")):
        try:
            path.read_text("utf-8")
        except ValueError as error:
            yield Finding("files", path.name, f"expected text in UTF-8; {error}")


def check_contents(home: Home, spec: Spec) -> Iterator[Finding]:
    """Presets, words of save files, colours, translated rules and the lesson can be used."""
    for name, check in {
        PRESETS: partial(check_presets, home, spec),
        WORDS: partial(check_words, home),
        "palette.json": partial(check_palette, home),
        "rulebook.fr.md": partial(check_translation, home),
        LESSON: partial(check_lesson, home),
        PUZZLES: partial(check_puzzles, home),
    }.items():
        try:
            yield from (Finding("files", name, says) for says in check())
        except Exception as error:
            yield Finding("files", name, blame(error, home.folder))


def check_presets(home: Home, spec: Spec) -> Iterator[str]:
    """Every preset can be played and has a name in every language."""
    for name in home.json(PRESETS) or {}:
        try:
            choose("", [], usual_players(spec), name, {})
        except BastideError as error:
            yield f"preset {name!r}: {error}"
        picture = home.json(PRESETS)[name].get("picture", BASE)
        if picture not in specs():
            yield f"preset {name!r}: expected as picture a module ({', '.join(specs())}), got {picture!r}"
        for language in spoken(home):
            for word in ("name", "summary"):
                if word not in texts(spec.name, language).get("presets", {}).get(name, {}):
                    yield f"preset {name!r}: expected its {word} in texts.json, {language}, presets; got none"


def check_words(home: Home) -> Iterator[str]:
    """The words of JCloisterZone's files set options that exist."""
    words: dict[str, Any] | None = home.json(WORDS)
    if words is None:
        return
    Dialect()  # refuses what it cannot read
    known = {option.name: option for spec in specs().values() for option in spec.all_options}
    settings = [words.get("always", {}), *words.get("without", {}).values()]
    settings += [values for rule in words.get("rules", {}).values() for values in rule.values()]
    named = [*words.get("numbers", {}).values(), *words.get("switches", {}).values()]
    for name in [*named, *(name for setting in settings for name in setting)]:
        if name not in known:
            yield f"expected options and house rules that exist, got {name!r}"
    for name, value in (entry for setting in settings for entry in setting.items()):
        if name in known:
            known[name].check(value)


def check_palette(home: Home) -> Iterator[str]:
    """The themes of the palette exist, and its colours are colours."""
    for theme, colours in (home.json("palette.json") or {}).items():
        if theme not in themes():
            yield f"expected the themes {', '.join(themes())}, got {theme!r}"
        for name, colour in colours.items():
            if not isinstance(colour, str) or not COLOUR.fullmatch(colour):
                yield f"{theme}, {name}: expected a colour such as #8fa0ad, got {colour!r}"


def check_translation(home: Home) -> Iterator[str]:
    """The translated page has the same rules as the English one."""
    for language in LANGUAGES:
        path = home.folder / f"rulebook.{language}.md"
        if language != ENGLISH and path.is_file():
            english = home.folder.joinpath("rulebook.md").read_text("utf-8")
            rules, translated = (
                [rule.id for rule in rulebook.read_page(home.name, text, written_in)]
                for text, written_in in ((english, ENGLISH), (path.read_text("utf-8"), language))
            )
            if rules != translated:
                yield f"expected the rules {', '.join(rules)}, got {', '.join(translated)}"


def check_lesson(home: Home) -> Iterator[str]:
    """The lesson can be played, step by step, and has every sentence in every language."""
    lesson: dict[str, Any] | None = home.json(LESSON)
    if lesson is None:
        return
    replay = Replay(read_record("\n".join(lesson["record"]) + "\n"))
    for _ in replay:
        pass
    game, draws = replay.game, list(lesson["draws"])
    for number, step in enumerate(lesson["steps"], start=1):
        deal(game, draws)
        try:
            play_step(game, step)
        except Exception as error:
            yield f"step {number}: {blame(error, home.folder)}"
            return
    deal(game, draws)
    if draws:
        yield f"expected every tile of `draws` to be drawn, got {', '.join(draws)} left over"


def check_puzzles(home: Home) -> Iterator[str]:
    """Every puzzle's position can be reached and its solution played."""
    for number, puzzle in enumerate(home.json(PUZZLES) or [], start=1):
        replay = Replay(read_record("\n".join(puzzle["record"]) + "\n"))
        try:
            for _ in replay:
                pass
            for action in puzzle["solution"]:
                replay.game.play(action)
        except BastideError as error:
            yield f"puzzle {number}: {error}"


def deal(game: Game, draws: list[str]) -> None:
    """Draws what the lesson says."""
    while draws and not game.over and game.seat == CHANCE:
        game.play(f"draw {draws.pop(0)}")


def play_step(game: Game, step: dict[str, Any]) -> None:
    """Plays one step; raises an error if that is not possible."""
    for sentences in (step, step.get("else", step)):
        for language in LANGUAGES:
            if not sentences.get(language):
                raise BastideError(f"expected a sentence {language!r}, got none")
    for action in (*step.get("other", []), *([step["do"]] if "do" in step else [])):
        game.play(action)
    if "show" in step:
        cell, _, spot = step["show"].partition(" ")
        x, y = cell.split(",")
        game.region((int(x), int(y)), spot)
