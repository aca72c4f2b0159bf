"""The checks of a record: each reads its words once and gives a test to run on the game at that point.

A test answers with an empty text when the check holds, and otherwise with what was found instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bastide.errors import IllegalAction
from bastide.game import CHANCE, Game
from bastide.game.events import Event, Scored
from bastide.notation.words import Words, read_action


@dataclass(frozen=True)
class Moment:
    """The game as it stands, and what has happened since the last turn line began."""

    game: Game
    events: Sequence[Event]

    def scores(self, seat: int, kind: str) -> list[Scored]:
        """What the player scored for regions or sources of one kind."""
        return [e for e in self.events if isinstance(e, Scored) and e.seat == seat and e.kind == kind]


def deciding(game: Game) -> int:
    """The seat that an action now belongs to: draws belong to the player whose turn it is."""
    return game.turn if game.seat == CHANCE else game.seat


Test = Callable[[Moment], str]


def read_check(words: Words) -> str:
    """The words of a well-formed check in their canonical form; refuses any other."""
    text = words.text
    read_test(words)
    return text


def read_test(words: Words) -> Test:
    """The test that the words after `check` ask for."""
    kind = words.word("what to check")
    if kind not in _CHECKS:
        words.refuse(f"expected a check ({', '.join(_CHECKS)}), found {kind!r}")
    test = _CHECKS[kind](words)
    words.end()
    return test


def _differs(expected: object, found: object) -> str:
    return "" if expected == found else f"expected {expected}, found {found}"


def _score(words: Words) -> Test:
    seat, points = words.player(), words.number("points")
    return lambda now: _differs(points, now.game.scores[seat])


def _scored(words: Words) -> Test:
    seat, kind, points = words.player(), words.word("a kind of region"), words.number("points")

    def test(now: Moment) -> str:
        found = [e.points for e in now.scores(seat, kind)]
        if points in found or (points == 0 and not any(found)):
            return ""
        return f"expected {points}, found {', '.join(map(str, found)) or 'no score'}"

    return test


def _parts(words: Words) -> Test:
    seat, kind, text = words.player(), words.word("a kind of region"), words.rest("parts")

    def test(now: Moment) -> str:
        found = [", ".join(map(str, e.parts)) for e in now.scores(seat, kind)]
        return "" if text in found else f"expected {text}, found {' and '.join(found) or 'no score'}"

    return test


def _legal(words: Words) -> Test:
    if words.peek().isdigit():
        count = words.number("a number of actions")
        return lambda now: _differs(count, len(now.game.legal))
    action = words.action()
    return lambda now: "" if action in now.game.legal else f"it is illegal: {now.game.explain(action)}"


def _illegal(words: Words) -> Test:
    action = read_action(words.line, words.up_to("because"))
    code = words.word("a reason") if words.skip("because") else ""

    def test(now: Moment) -> str:
        if action in now.game.legal:
            return "it is legal"
        try:
            now.game.play(action)
        except IllegalAction as error:
            return _differs(code, error.reason) if code else ""
        raise AssertionError(f"{action} was played, but is not among the legal actions")

    return test


def _region(words: Words) -> Test:
    cell, spot = words.cell(), words.spot()
    facts: dict[str, int] = {}
    while words or not facts:
        key = words.word("a fact of the region")
        if key in facts:
            words.refuse(f"{key} stands twice")
        if key == "complete":
            facts[key] = _yes_or_no(words)
        else:
            facts[key] = words.number(f"a number for {key}")
    players = words.players

    def test(now: Moment) -> str:
        region = now.game.region(cell, spot)
        found = {
            **region.attributes,
            **{name: region.weights.get(seat, 0) for seat, name in enumerate(players)},
            "tiles": region.tiles,
            "open": region.open,
            "complete": int(region.complete),
        }
        wrong = {key: _differs(value, found.get(key, 0)) for key, value in facts.items()}
        return "; ".join(f"{key}: {text}" for key, text in wrong.items() if text)

    return test


def _yes_or_no(words: Words) -> int:
    word = words.word("yes or no")
    if word not in ("yes", "no"):
        words.refuse(f"expected yes or no, found {word!r}")
    return int(word == "yes")


def _supply(words: Words) -> Test:
    seat, piece, count = words.player(), words.word("a piece"), words.number("a number of pieces")
    return lambda now: _differs(count, now.game.supply(seat).get(piece, 0))


def _token(words: Words) -> Test:
    seat, name, count = words.player(), words.word("a token"), words.number("a number of tokens")
    return lambda now: _differs(count, sum(t.number for t in now.game.tokens if (t.seat, t.name) == (seat, name)))


def _turn(words: Words) -> Test:
    seat = words.player()
    return lambda now: _differs(words.players[seat], now.game.names[deciding(now.game)])


def _left(words: Words) -> Test:
    count = words.number("a number of tiles")
    return lambda now: _differs(count, now.game.tiles_left)


def _over(words: Words) -> Test:
    return lambda now: "" if now.game.over else "the game goes on"


def _winner(words: Words) -> Test:
    seats = {words.player()}
    while words:
        seats.add(words.player())

    def test(now: Moment) -> str:
        outcome = now.game.outcome
        if outcome is None:
            return "the game goes on"
        return _differs(_names(words, seats), _names(words, outcome.winners))

    return test


def _names(words: Words, seats: Iterable[int]) -> str:
    return " ".join(words.players[seat] for seat in sorted(seats))


_CHECKS: dict[str, Callable[[Words], Test]] = {
    "score": _score,
    "scored": _scored,
    "parts": _parts,
    "legal": _legal,
    "illegal": _illegal,
    "region": _region,
    "supply": _supply,
    "token": _token,
    "turn": _turn,
    "left": _left,
    "over": _over,
    "winner": _winner,
}
