"""The numbered rules as data: what `bastide rules`, the tests and the in-app help point at.

The pages beside this file are the only copy of the rules; `docs/rules` leads to them. A page declares the module that
plays its rules and the prefix of their ids; each line `- BASE-12 ...` is one rule. The English pages are the law; a
folder of another language holds their translation, rule by rule. A plug-in has its page in its own folder: rulebook.md,
and translations such as rulebook.fr.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import zip_longest

from bastide.errors import BastideError, OptionError
from bastide.homes import homes

_FRONT = re.compile(r"---\nmodule: (?P<module>\w+)\nprefix: (?P<prefix>[A-Z][A-Z0-9]*)\n---\n")
_RULE = re.compile(r"- (?P<prefix>[A-Z][A-Z0-9]*)-(?P<number>\d+) (?P<text>.+)")
# A statement begins with its name and a colon; a few words may stand between: "Examples (Classic):".
_STATEMENTS = {
    "en": re.compile(r"\b(?P<name>Example|Silent|Note)s?(?P<about>[^.:;()]*(?:\([^)]*\))?): "),
    "fr": re.compile(r"\b(?P<name>Exemple|Le livret se tait|Note)s?(?P<about>[^.:;()]*(?:\([^)]*\))?) : "),
}
_NAMES = {"Exemple": "Example", "Le livret se tait": "Silent"}


@dataclass(frozen=True)
class Rule:
    """One numbered rule; `text` is all of it, `examples` and `silent` are the statements of these names in it."""

    id: str
    module: str
    page: str
    section: str
    text: str
    examples: tuple[str, ...]
    silent: tuple[str, ...]


def load(language: str = "en") -> dict[str, Rule]:
    """All rules by id, in the order of the pages and of their numbers."""
    if language not in _STATEMENTS:
        raise OptionError(f"language: expected one of {', '.join(_STATEMENTS)}, got {language!r}")
    book: dict[str, Rule] = {}
    for name, text, written_in in pages(language):
        for rule in read_page(name, text, written_in):
            if rule.id in book:
                raise BastideError(f"{name}: rule {rule.id} stands in {book[rule.id].page} already")
            book[rule.id] = rule
    return book


def pages(language: str) -> Iterator[tuple[str, str, str]]:
    """The name, the text and the language of each page: ours, then those of plug-ins, in English if need be."""
    ours = files(__name__) / "pages"
    for page in sorted((ours if language == "en" else ours / language).iterdir(), key=lambda p: p.name):
        if page.name.endswith(".md") and page.name != "README.md":
            yield page.name, page.read_text(encoding="utf-8"), language
    for home in homes().values():
        for name, written_in in ((f"rulebook.{language}.md", language), ("rulebook.md", "en")):
            if (home.folder / name).is_file():
                yield f"{home.name}/{name}", (home.folder / name).read_text("utf-8"), written_in
                break


def read_page(name: str, text: str, language: str = "en") -> Iterator[Rule]:
    """The rules of one page; refuses a page without its two lines for the program, foreign ids and gaps."""
    front = _FRONT.match(text)
    if front is None:
        raise BastideError(f"{name}, line 1: expected the lines ---, module: NAME, prefix: PREFIX, ---")
    section, number = "", 0
    first = 1 + front.group().count("\n")
    for at, line in enumerate(text[front.end() :].splitlines(), first):
        if line.startswith("#"):
            section = line.lstrip("# ")
        found = _RULE.fullmatch(line)
        if found is None:
            continue
        number += 1
        given, expected = f"{found['prefix']}-{found['number']}", f"{front['prefix']}-{number}"
        if given != expected:
            raise BastideError(f"{name}, line {at}: expected rule {expected}, found {given}")
        spoken = list(_statements(found["text"], _STATEMENTS[language]))
        yield Rule(
            given,
            front["module"],
            name,
            section,
            found["text"],
            tuple(words for what, words in spoken if what == "Example"),
            tuple(words for what, words in spoken if what == "Silent"),
        )


def _statements(text: str, statement: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """The named statements of a rule: each runs to the next one, or to its closing bracket if it stands in brackets."""
    marks = list(statement.finditer(text))
    for mark, following in zip_longest(marks, marks[1:]):
        words = text[mark.end() : following.start() if following else len(text)]
        if text[: mark.start()].endswith("("):
            words = _up_to_closing(words)
        about = mark["about"].strip(" ,")
        yield _NAMES.get(mark["name"], mark["name"]), f"{about} {words.rstrip(' (')}".strip()


def _up_to_closing(words: str) -> str:
    depth = 1
    for at, letter in enumerate(words):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return words[:at]
    return words
