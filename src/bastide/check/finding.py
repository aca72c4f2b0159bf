"""A finding: what is wrong with a module, in a sentence."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# What is checked, by the name of the check.
CHECKS: Final[Mapping[str, str]] = {
    "load": "rules.py can be imported and declares MODULE under the name of the folder",
    "files": "texts, presets, palette, words of save files, translated rules and the lesson can be read and used",
    "project": "pip installs the project around the folder: version, entry point, files that are no Python",
    "imports": "the rules use bastide.rules and what it stands on: no engine, no chance, no clock, no order of sets",
    "spec": "names, options, editions, players, boxes of the Spec are well formed and its own; options are asked for",
    "tiles": "the boxes can be read, every box file is named in the Spec, every tile can come into play",
    "declare": "`declare` works for every value of every option, and does the same both times",
    "names": "what is declared has names of its own, and names only kinds and marks that exist; hooks have their form",
    "together": "the rules compile together with all other boxes",
    "texts": "every language that texts.json has is complete and can be shown, every question leads to its rules",
    "rulebook": "there is a page of rules in these languages, and every rule id that is cited stands on a page",
    "scenarios": "scenarios and pictures of rules can be played, their checks hold, and the rules that they name exist",
    "drawn": "tiles, marks, pieces and tokens are drawn in every theme, and always alike",
    "fails": "no hook fails in random games",
    "returns": "every hook returns what the engine expects of it",
    "legal": "every question has an answer, and what chance brings has a weight",
    "action": "every action has a text of its own that can be read back",
    "writes": "hooks that only answer (`legal`, `action_of`, `value`, `why_...`, trial scores) write nothing",
    "undo": "an action that is taken back leaves nothing, and comes out the same again",
    "listener": "the same happens whether somebody listens or not",
    "state": "the module keeps no state of its own: copies of a game share it",
    "pieces": "no piece gets lost or appears",
    "tokens": "tokens belong to somebody or nobody, and lie where there is a tile",
    "points": "every point comes from a score of its own, whose parts add up",
    "reasons": "every refusal has a sentence",
    "copy": "a copy of a game, and a pickled one, is the same game",
    "record": "the record of a game gives the same game",
    "position": "the text of a position gives the same position, and the game goes on alike",
    "secrets": "what a player holds hidden decides nothing that others see",
    "ends": "games end, and tiles that wait join the others before",
    "memory": "games leave no memory behind",
}


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: the check that found it, where, and what was expected and what came."""

    check: str
    where: str
    says: str

    def __str__(self) -> str:
        return f"{self.check}: {self.where}: {self.says}"


class Broken(Exception):
    """Raised where a check finds something, so that it need not go on."""

    def __init__(self, check: str, says: str) -> None:
        super().__init__(check, says)
        self.check, self.says = check, says


def blame(error: BaseException, folder: Path) -> str:
    """An error in words, with the last line of the module's own code that led to it."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)]
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{text} ({Path(own[-1].filename).name}, line {own[-1].lineno}, in {own[-1].name})" if own else text
