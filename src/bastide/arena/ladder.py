"""Ratings that are kept over many arenas: each run adds its games, and all bots that ever played are rated together."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bastide.arena.journal import Setup
from bastide.arena.ratings import Rating, bradley_terry
from bastide.arena.schedule import labels
from bastide.arena.standings import Standings
from bastide.errors import BastideError

FILE = "ladder.json"
FORMAT = 1


@dataclass(frozen=True)
class Rung:
    """A bot on the ladder. A bot that was edited stands on a step of its own."""

    name: str
    fingerprint: str
    rating: Rating
    games: int


def add(folder: Path, setup: Setup, found: Standings) -> list[Rung]:
    """Adds a run, or puts it in the place of an earlier part of the same run; the ladder of all bots by these rules."""
    folder.mkdir(parents=True, exist_ok=True)
    runs = read(folder)
    line = setup.as_json()
    names = dict(zip(labels(setup.entrants), setup.fingerprints(), strict=True))
    key = sha256(json.dumps(line, sort_keys=True).encode()).hexdigest()
    runs[key] = {
        "table": line["table"],
        "duels": [
            {"one": [d.one, names[d.one]], "other": [d.other, names[d.other]], "score": d.score, "games": d.games}
            for d in found.duels
        ],
    }
    text = json.dumps({"bastide_ladder": FORMAT, "runs": runs}, indent=1)
    part = folder / f"{FILE}.part"
    part.write_text(text + "\n", "utf-8")
    part.replace(folder / FILE)
    return rungs(runs, line["table"])


def read(folder: Path) -> dict[str, Any]:
    """The runs that are kept, by the hash of their setup."""
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        kept = json.loads(path.read_text("utf-8"))
        if kept["bastide_ladder"] != FORMAT:
            raise BastideError(f"{path}: expected a ladder of format {FORMAT}, got {kept['bastide_ladder']!r}")
        runs: dict[str, Any] = kept["runs"]
    except (ValueError, KeyError, TypeError) as error:
        raise BastideError(f"{path}: expected a ladder: {error}") from error
    return runs


def rungs(runs: dict[str, Any], table: dict[str, Any]) -> list[Rung]:
    """All bots that played at such a table, best first."""
    bots: list[tuple[str, str]] = []
    scores: dict[tuple[int, int], tuple[float, int]] = {}
    for run in runs.values():
        if run["table"] != table:
            continue
        for duel in run["duels"]:
            numbers = []
            for bot in (tuple(duel["one"]), tuple(duel["other"])):
                if bot not in bots:
                    bots.append(bot)
                numbers.append(bots.index(bot))
            one, other = numbers
            points, games = duel["score"] * duel["games"], duel["games"]
            if one == other or not games:
                continue
            if one > other:
                one, other, points = other, one, games - points
            before = scores.get((one, other), (0.0, 0))
            scores[one, other] = (before[0] + points, before[1] + games)
    ratings = bradley_terry(len(bots), scores) if scores else []
    played = [sum(games for pairing, (_, games) in scores.items() if number in pairing) for number in range(len(bots))]
    found = [Rung(*bot, rating, games) for bot, rating, games in zip(bots, ratings, played, strict=True)]
    return sorted(found, key=lambda step: -step.rating.elo)
