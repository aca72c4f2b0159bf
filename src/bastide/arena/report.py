"""The report of an arena: one HTML file with its plots inside, no script, readable without a network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bastide.analysis.svg import bars, dots, histogram
from bastide.arena.journal import Setup
from bastide.arena.match import Result
from bastide.arena.schedule import labels, pairings
from bastide.arena.standings import Duel, Standings, of_pairing

STEP = 10  # points in one bar of the margins

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 sans-serif; }
body { max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; }
"""

VERDICTS = {"first": "stronger", "second": "weaker", "equal": "no such difference", "": "open"}


def report(setup: Setup, results: Sequence[Result], standings: Standings) -> str:
    """The whole page."""
    ladder = standings.ladder
    rules = setup.table.rules()
    content = [
        f"<p>{len(results)} games, {setup.table.seats} seats, edition {escape(rules.edition)},"
        f" modules {escape(', '.join(rules.module_names))}; seed {setup.seed}."
        " Every deck is played twice, with seats swapped. All intervals are of 95 %."
        f" Time: {escape(str(setup.table.control))}.</p>",
        "<h2>Ladder</h2>",
        dots("Rating in Elo points", [(s.name, s.rating.elo, s.rating.low, s.rating.high) for s in ladder]),
        ladder_table(standings),
        "<h2>Pairings</h2>",
        matrix(standings),
        duel_table(standings.duels),
        *faults(setup, results),
        *margins(setup, results, standings),
        "<h2>Points by source</h2>",
        bars("Mean points of a game by source", [(s.name, s.sources) for s in ladder]),
        "<h2>Farmers that scored nothing</h2>",
        bars("Farmers in a game", [(s.name, farmers(s.farmers, s.idle)) for s in ladder]),
        *games(setup, results),
    ]
    title = f"Arena: {', '.join(labels(setup.entrants))}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>\n" + "\n".join(content) + "\n</body></html>\n"
    )


def matrix(standings: Standings) -> str:
    """Everybody against everybody: the share of victories of the row against the column."""
    names = [standing.name for standing in standings.ladder]
    found = {(d.one, d.other): d.score for d in standings.duels if d.games}
    found |= {(d.other, d.one): 1 - d.score for d in standings.duels if d.games}
    lines = [
        (one, *(f"{100 * found[one, other]:.0f} %" if (one, other) in found else "" for other in names))
        for one in names
    ]
    return table(("", *names), lines)


def faults(setup: Setup, results: Sequence[Result]) -> list[str]:
    """The games that were lost because a bot failed, with the reasons."""
    names = labels(setup.entrants)
    lost = sorted((result for result in results if result.fault), key=lambda result: result.id)
    if not lost:
        return []
    lines = [[link(r), escape(names[r.seats[r.faulty]]), escape(r.fault)] for r in lost]
    return ["<h2>Games lost by a fault</h2>", raw_table(("game", "bot", "why"), lines)]


def games(setup: Setup, results: Sequence[Result]) -> list[str]:
    """All games, with links to their records."""
    names = labels(setup.entrants)
    lines = [
        [link(r), escape(" – ".join(names[who] for who in r.seats)), " : ".join(map(str, r.scores))]
        for r in sorted(results, key=lambda result: result.id)
    ]
    about = "<p><code>bastide replay games/ID.txt</code> shows a game, <code>bastide analyse</code> judges it.</p>"
    inside = raw_table(("game", "seats", "scores"), lines)
    return [f"<h2>Games</h2>{about}<details><summary>{len(lines)} games</summary>{inside}</details>"]


def link(result: Result) -> str:
    """To the record of a game."""
    return f'<a href="games/{escape(result.id)}.txt">{escape(result.id)}</a>'


def farmers(number: float, idle: float) -> dict[str, float]:
    """Farmers of a game, apart for those that brought something."""
    return {"scored": number * (1 - idle), "scored nothing": number * idle}


def margins(setup: Setup, results: Sequence[Result], standings: Standings) -> list[str]:
    """A histogram for each pairing."""
    found = []
    for pairing, duel in zip(pairings(setup.entrants), standings.duels, strict=True):
        values = [game.margin(pairing[0]) for game in of_pairing(results, pairing) if not game.fault]
        title = f"Points by which {duel.one} was ahead of {duel.other}"
        found += [f"<h3>{escape(title)}</h3>", histogram(title, values, STEP)]
    return ["<h2>Margins</h2>", *found]


def ladder_table(standings: Standings) -> str:
    """The entrants in numbers."""
    head = ("", "Elo", "interval", "games", "score", "points", "farmers", "idle", "ms a move", "faults")
    return table(
        head,
        [
            (
                s.name,
                f"{s.rating.elo:+.0f}",
                f"{s.rating.low:+.0f} to {s.rating.high:+.0f}",
                str(s.games),
                f"{100 * s.score:.1f} %",
                f"{s.points:.1f}",
                f"{s.farmers:.1f}",
                f"{100 * s.idle:.0f} %",
                f"{1000 * s.seconds:.1f}",
                str(s.faults),
            )
            for s in standings.ladder
        ],
    )


def duel_table(duels: Sequence[Duel]) -> str:
    """The pairings in numbers."""
    head = ("", "games", "won", "drawn", "lost", "score", "interval", "margin", "sequential test")
    return table(
        head,
        [
            (
                f"{d.one} – {d.other}",
                str(d.games),
                str(d.wins),
                str(d.draws),
                str(d.losses),
                f"{100 * d.score:.1f} %",
                f"{100 * d.low:.1f} to {100 * d.high:.1f} %",
                f"{d.margin:+.1f} ({d.margin_low:+.1f} to {d.margin_high:+.1f})",
                VERDICTS[d.verdict],
            )
            for d in duels
        ],
    )


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table of texts."""
    return raw_table(head, [[escape(word) for word in line] for line in lines])


def raw_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table of pieces of HTML."""
    top = "".join(f"<th>{escape(word)}</th>" for word in head)
    body = "".join(f"<tr>{''.join(f'<td>{word}</td>' for word in line)}</tr>\n" for line in lines)
    return f"<table><thead><tr>{top}</tr></thead><tbody>\n{body}</tbody></table>"
