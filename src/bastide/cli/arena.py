"""`bastide arena`: bots against bots, in pairs of games with the same tiles."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bastide.arena import Arena, Duel, Result, Sequential, Setup, Standings, Table, executor
from bastide.arena.control import Control, seconds
from bastide.arena.ladder import Rung, add
from bastide.arena.verify import verify as verify_folder
from bastide.cli.choice import chooses_rules, players_of, rules_of, takes_code
from bastide.errors import BastideError

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.option("--players", default="", metavar="BOT,BOT", help="Two or more bots: search:400ms,greedy")
@takes_code
@click.option("--games", default=400, show_default=True, help="Games of each pairing; an even number.")
@click.option("--seats", default=2, show_default=True, help="Players at the table; two bots sit there in turn.")
@click.option("--seed", default=1, show_default=True, help="Decks and bots follow from it.")
@click.option("--workers", default=os.cpu_count() or 1, show_default="one for each core", help="Processes.")
@click.option("--ray", default="", metavar="ADDRESS", help="Play on a Ray cluster: its address, auto or local.")
@click.option("--out", type=FOLDER, help="Keep everything here; go on there later.")
@click.option("--stop", type=float, metavar="SCORE", help="End a pairing when a test tells 50 % from this: 0.55")
@click.option("--move-time", default="60s", show_default=True, help="For each decision: 400ms, 2s, 0s for any time.")
@click.option("--game-time", default="0s", show_default=True, help="For all decisions of a bot in a game.")
@click.option("--cpu-time", is_flag=True, help="Times are processor time, not time on the clock.")
@click.option("--strict", is_flag=True, help="Stop at the first fault of a bot; otherwise it loses that game.")
@click.option("--ladder", type=FOLDER, help="Add the results to ratings that are kept here over many runs.")
@click.option("--verify", type=FOLDER, help="Play nothing: play the records of this folder again, check its results.")
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@chooses_rules
def command(
    players: str,
    codes: tuple[str, ...],
    games: int,
    seats: int,
    seed: int,
    workers: int,
    ray: str,
    out: Path | None,
    stop: float | None,
    move_time: str,
    game_time: str,
    cpu_time: bool,
    strict: bool,
    ladder: Path | None,
    verify: Path | None,
    as_json: bool,
    edition: str,
    modules: str,
    preset: str,
    settings: tuple[str, ...],
) -> None:
    """Let bots play a round robin, every deck twice with swapped seats, and rate them.

    With --out every finished game is kept at once: the same command goes on where it was interrupted, and a larger
    --games adds to what was played. The folder gets the games as records, results.csv, results.parquet (with
    pyarrow) and report.html. A bot may have a name: --players "mason=python:my_bot.py,greedy".

    A bot that raises an error, answers too late or not legally, or changes the game loses that game; the report tells
    why. A folder belongs to its bots: after one of their files was edited, it takes no more games.
    """
    if verify is not None:
        verification_lines(verify)
        return
    if stop is not None and not 0.5 < stop < 1:
        raise click.UsageError(f"--stop: expected a number between 0.5 and 1, got {stop}")
    control = Control(seconds(move_time), seconds(game_time), cpu_time)
    table = Table.of(rules_of(edition, modules, preset, settings, seats), control)
    entrants = tuple(players_of(players, codes))
    with folder(out) as place:
        arena = Arena(Setup(entrants, table, seed), games, place, Sequential(stop) if stop else None, strict)
        arena.check()
        found = run(arena, workers, ray)
        rungs = add(ladder, arena.setup, found) if ladder else []
    click.echo(json.dumps(asdict(found), indent=1) if as_json else "\n".join(lines(found)))
    if ladder and not as_json:
        click.echo("\n".join(["", f"ladder: {ladder}", *ladder_lines(rungs)]))
    if out and not as_json:
        click.echo(f"\nreport: {out / 'report.html'}")


def verification_lines(place: Path) -> None:
    """Says whether the results of a folder are true."""
    games, wrong = verify_folder(place)
    if wrong:
        raise BastideError(f"{len(wrong)} of {games} games are not what they seem: {'; '.join(wrong[:5])}")
    click.echo(f"{games} games: tiles, scores and winners are those of their records")


def ladder_lines(ladder: list[Rung]) -> list[str]:
    """The kept ratings for people."""
    width = max((len(step.name) for step in ladder), default=0) + 2
    return [
        f"{step.name:{width}}{step.rating.elo:>+6.0f}  {step.rating.low:+.0f} to {step.rating.high:+.0f}"
        f"{step.games:>8} games  {step.fingerprint[:12]}"
        for step in ladder
    ]


@contextmanager
def folder(out: Path | None) -> Iterator[Path]:
    """Where the games are kept: where the user wants them, or for this run only."""
    if out:
        yield out
    else:
        with TemporaryDirectory() as place:
            yield Path(place)


def run(arena: Arena, workers: int, ray: str) -> Standings:
    """Plays, with a bar on a terminal."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    playing = executor(workers, ray)
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            bar = progress.add_task("games", total=None)

            def tell(result: Result, left: int) -> None:
                done = int(progress.tasks[0].completed) + 1
                progress.update(bar, completed=done, total=done + left)

            return arena.run(playing, tell)
    finally:
        playing.close()


def lines(found: Standings) -> list[str]:
    """The ladder and the pairings for people."""
    width = max(len(s.name) for s in found.ladder) + 2
    text = [
        f"{'':{width}}{'Elo':>6}  {'interval':<14}{'games':>6}{'score':>9}{'points':>8}{'idle farmers':>14}{'ms':>8}"
    ]
    for s in found.ladder:
        interval = f"{s.rating.low:+.0f} to {s.rating.high:+.0f}"
        text.append(
            f"{s.name:{width}}{s.rating.elo:>+6.0f}  {interval:<14}{s.games:>6}{100 * s.score:>7.1f} %"
            f"{s.points:>8.1f}{100 * s.idle:>12.0f} %{1000 * s.seconds:>8.1f}"
            f"{f'  {s.faults} lost by faults' if s.faults else ''}"
        )
    text.append("")
    for d in found.duels:
        text.append(
            f"{d.one} – {d.other}: {d.wins} won, {d.draws} drawn, {d.losses} lost;"
            f" {100 * d.score:.1f} % ({100 * d.low:.1f} to {100 * d.high:.1f}),"
            f" {d.margin:+.1f} points ({d.margin_low:+.1f} to {d.margin_high:+.1f})"
            f"{verdict(d)}"
        )
    return text


def verdict(duel: Duel) -> str:
    """What the sequential test says, if it says something."""
    sayings = {"first": f"{duel.one} is stronger", "second": f"{duel.other} is stronger", "equal": "no such difference"}
    return f"; sequential test: {sayings[duel.verdict]}" if duel.verdict else ""
