"""A review as text, as JSON and as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bastide.analysis.fields import Field
from bastide.analysis.review import Move, Review, Turn
from bastide.analysis.svg import lines
from bastide.game.actions import cell_text

SMALL = 0.05  # a loss that is not worth a word


def as_text(review: Review) -> list[str]:
    """For people: every turn with what it gave away, the turning points, the totals, the fields."""
    said = []
    for turn in review.turns:
        said.append(f"{turn.number:>4} {review.names[turn.seat]}: {'; '.join(turn.actions)}")
        said += [f"     gave away {lost(move)}: {move.best} was better" for move in turn.moves if move.loss >= SMALL]
        if turn.number in review.turning_points:
            said.append(f"     turning point: {leader(review, turn)} takes the lead")
    said += ["", "given away in all, and the dearest turn:"]
    for seat, name in enumerate(review.names):
        own = [turn for turn in review.turns if turn.seat == seat]
        worst = max(own, key=lambda turn: turn.loss, default=None)
        dearest = f", {worst.loss:.1f} in turn {worst.number}" if worst and worst.loss >= SMALL else ""
        said.append(f"  {name}: {review.loss(seat):.1f}{dearest}; {review.scores[seat]} points")
    if review.par is not None:
        said.append(f"  par with these tiles: {review.par} points")
    return [*said, "", *ledger(review)]


def lost(move: Move) -> str:
    """What a move gave away, with its interval if there is one."""
    return f"{move.loss:.1f} ± {move.margin:.1f}" if move.margin else f"{move.loss:.1f}"


def totals(reviews: Sequence[Review]) -> list[str]:
    """Many games for people: of each player games, points, what was given away in a game, the dearest turn."""
    said = [f"{'player':<24}{'games':>6}{'points':>8}{'given away':>12}{'dearest turn':>14}"]
    for name in sorted({name for review in reviews for name in review.names}):
        own = [(review, seat) for review in reviews for seat, other in enumerate(review.names) if other == name]
        points = sum(review.scores[seat] for review, seat in own) / len(own)
        lost = sum(review.loss(seat) for review, seat in own) / len(own)
        dearest = max((turn.loss for review, seat in own for turn in review.turns if turn.seat == seat), default=0.0)
        said.append(f"{name:<24}{len(own):>6}{points:>8.1f}{lost:>12.1f}{dearest:>14.1f}")
    return said


def leader(review: Review, turn: Turn) -> str:
    """Who is ahead after a turn."""
    return review.names[max(range(len(turn.leads)), key=turn.leads.__getitem__)]


def ledger(review: Review) -> list[str]:
    """The fields in words."""
    if not review.over:
        return ["fields: the game is not over"]
    if not review.fields:
        return ["fields: nobody stands in one"]
    return ["fields:", *(f"  {line}" for line in (field_line(review, field) for field in review.fields))]


def field_line(review: Review, field: Field) -> str:
    """One field."""
    farmers = [f"{review.names[farmer.seat]} {cell_text(farmer.cell)}" for farmer in field.farmers]
    points = [f"{review.names[seat]} {points}" for seat, points in enumerate(field.points) if points]
    return f"{field.kind}, {field.tiles} tiles, with {', '.join(farmers)}: {', '.join(points) or 'nothing scored'}"


def as_json(review: Review) -> dict[str, Any]:
    """For programs."""
    return {
        "players": review.names,
        "judge": review.judge,
        "over": review.over,
        "par": review.par,
        "scores": review.scores,
        "losses": [round(review.loss(seat), 2) for seat in range(len(review.names))],
        "turning_points": review.turning_points,
        "turns": [
            {
                "number": turn.number,
                "player": review.names[turn.seat],
                "seat": turn.seat,
                "n": turn.n,
                "actions": turn.actions,
                "leads": [round(lead, 2) for lead in turn.leads],
                "loss": round(turn.loss, 2),
                "moves": [
                    {
                        "n": move.n,
                        "action": move.action,
                        "value": round(move.value, 2),
                        "best": move.best,
                        "best_value": round(move.best_value, 2),
                        "loss": round(move.loss, 2),
                        "margin": round(move.margin, 2),
                        "choices": move.choices,
                    }
                    for move in turn.moves
                ],
            }
            for turn in review.turns
        ],
        "fields": [
            {
                "kind": field.kind,
                "spot": field.spot,
                "tiles": field.tiles,
                "farmers": [[review.names[f.seat], f.piece, cell_text(f.cell), f.spot] for f in field.farmers],
                "points": field.points,
            }
            for field in review.fields
        ],
    }


def as_svg(review: Review) -> str:
    """Each player's lead after every turn; dashed lines are turning points."""
    course = {name: [0.0, *(t.leads[seat] for t in review.turns)] for seat, name in enumerate(review.names)}
    return lines("Points ahead after each turn", course, review.turning_points)
