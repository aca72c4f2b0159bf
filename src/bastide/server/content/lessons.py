"""Lessons: what the page teaches on a real table. Each is the `lesson.json` in the folder of a module.

A lesson is a position and the draws that follow, both as a table takes them, and steps: sentences in each language,
with what the learner is to do (`do`), what the other player does (`other`), or a region to look at (`show`).
"""

from __future__ import annotations

import msgspec

from bastide.homes import homes, per_modules
from bastide.server.api.contents import Lesson
from bastide.server.api.refusal import Refusal


@per_modules
def lessons() -> dict[str, bytes]:
    """All lessons by module, as JSON."""
    found = {name: home.json("lesson.json") for name, home in homes().items()}
    return {
        name: msgspec.json.encode(msgspec.convert(lesson, Lesson))
        for name, lesson in found.items()
        if lesson is not None
    }


def lesson_of(module: str) -> bytes:
    """The lesson of a module, refused if it has none."""
    found = lessons().get(module)
    if found is None:
        raise Refusal("table", f"there is no lesson about {module!r}")
    return found
