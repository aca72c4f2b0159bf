"""How a game ended."""
# interpreted: speaks to people

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """The ranking and why the game ended. Equal points share a rank, unless an option says otherwise."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]  # seats, best first
    winners: tuple[int, ...]
    reason: str  # "tiles": no tile is left; "stopped": ended by hand

    @classmethod
    def of(cls, scores: tuple[int, ...], reason: str, loses_ties: int | None = None) -> Outcome:
        """BASE-27: equal points share the victory; in tournaments the starting player loses a tie."""
        ranking = tuple(sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat == loses_ties, seat)))
        winners = tuple(seat for seat in ranking if scores[seat] == scores[ranking[0]])
        if len(winners) > 1:
            winners = tuple(seat for seat in winners if seat != loses_ties)
        return cls(scores, ranking, winners, reason)
