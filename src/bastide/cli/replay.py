"""`bastide replay`: plays a record again and shows it step by step."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import groupby
from pathlib import Path

import click

from bastide.art import board_frames, board_svg, gif, save
from bastide.cli.needs import needs
from bastide.errors import BastideError
from bastide.game import Game, Outcome
from bastide.game.events import Discarded, Ended, Event, Returned, Scored
from bastide.notation.ascii import draw_board, standing
from bastide.notation.record import Check, Note, load_record
from bastide.notation.replay import Replay, Step, other_versions
from bastide.rules import Part

OUT = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--step", is_flag=True, help="Show the board after every line and wait for a key.")
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@click.option("--svg", type=OUT, help="Draw the board at the end.")
@click.option("--png", "png_file", type=OUT, help="The same as PNG.")
@click.option("--gif", "gif_file", type=OUT, help="Draw the whole game, one picture for each tile.")
@click.option("--verify", is_flag=True, help="Check the draws of a game that was played online.")
@click.option("--commitment", default="", help="With --verify: what the server showed before the game.")
@click.option("--own", multiple=True, help="With --verify: the end of a chain, or an entropy, that you gave.")
@click.option("--theme", default="day", show_default=True, help="Colours of the pictures.")
def command(
    file: Path,
    step: bool,
    as_json: bool,
    svg: Path | None,
    png_file: Path | None,
    gif_file: Path | None,
    verify: bool,
    commitment: str,
    own: tuple[str, ...],
    theme: str,
) -> None:
    """Play a record (a saved game, a scenario, a puzzle) again, with its checks."""
    if verify:
        check_draws(file, commitment, own)
        return
    playing = Replay(load_record(file))
    if svg or png_file or gif_file:
        draw(playing, [path for path in (svg, png_file) if path], gif_file, theme)
        return
    failed = show_json(playing) if as_json else show(playing, step)
    if failed:
        raise BastideError(f"{file.name}: {failed} of its checks failed")


def check_draws(file: Path, commitment: str, own: Sequence[str]) -> None:
    """Says that all draws of a game were fair, and what that does not show; or refuses to."""
    with needs("server"):
        from bastide.server.draws.proof import verify
    verified = verify(load_record(file), commitment, own)
    click.echo(f"{file.name}: all {verified.draws} draws follow from the seed and what the players added.")
    click.echo("Not checked:")
    for sentence in verified.unchecked:
        click.echo(f"- {sentence}")


def draw(playing: Replay, pictures: Sequence[Path], film: Path | None, theme: str) -> None:
    """Pictures instead of words: the board at the end, and an animation of how it came to be."""
    game = playing.game
    boards = [game.board]
    for done in playing:
        if film is not None and done.action is not None and done.action.verb == "place":
            boards.append(game.board)
    for path in pictures:
        save(board_svg(game.board, theme=theme), path)
    if film is not None:
        film.write_bytes(gif(board_frames([*boards, game.board], theme)))


def show(playing: Replay, step: bool) -> int:
    """The record line by line; returns how many checks failed."""
    game, failed = playing.game, 0
    click.secho(playing.record.header.title or "A game without a title", bold=True)
    for sentence in other_versions(playing.record.header):
        click.secho(sentence, fg="yellow")
    for _, steps in groupby(playing, key=lambda done: done.line.line):
        whole = list(steps)
        if isinstance(whole[0].line, Note):
            continue
        failed += bool(whole[0].failure)
        show_line(whole, game.names)
        if step and not isinstance(whole[0].line, Check):
            click.echo(f"{picture(game)}\n{standing(game)}")
            click.pause()
    click.echo(f"{picture(game)}\n{standing(game)}")
    return failed


def show_line(steps: Sequence[Step], names: Sequence[str]) -> None:
    """One line of the record and what it brought."""
    line = steps[0].line
    if isinstance(line, Check):
        failure = steps[0].failure
        click.secho(f"    {line}: {failure or 'holds'}", fg="red" if failure else "green")
        return
    click.echo(f"{line.line:>4} {line}")
    for event in (event for step in steps for event in step.events):
        for text in tell(event, names):
            click.echo(f"     {text}")


def tell(event: Event, names: Sequence[str]) -> Iterator[str]:
    """What is worth a line of its own; draws, placements and deployments the record says itself."""
    match event:
        case Scored():
            parts = ", ".join(map(str, event.parts))
            yield f"{names[event.seat]} scores {event.points}, {event.kind}: {parts} ({', '.join(event.rules)})"
        case Returned():
            yield f"{names[event.seat]} takes a {event.piece} back from {event.spot}"
        case Discarded():
            yield f"{event.tile} leaves the game"
        case Ended():
            yield f"the game is over: {', '.join(names[seat] for seat in event.outcome.winners)} won"


def picture(game: Game) -> str:
    """The board, in colour on a terminal."""
    return draw_board(game, colour=sys.stdout.isatty())


def show_json(playing: Replay) -> int:
    """All steps and the end of the record as one object; returns how many checks failed."""
    steps = [step for step in playing if not isinstance(step.line, Note)]
    failed = sum(bool(step.failure) for step in steps)
    game = playing.game
    result = {
        "title": playing.record.header.title,
        "players": game.names,
        "steps": [as_object(step) for step in steps],
        "scores": game.scores,
        "over": game.over,
        "failed": failed,
    }
    click.echo(json.dumps(result, indent=1, ensure_ascii=False, default=members))
    return failed


def as_object(step: Step) -> dict[str, object]:
    """A step as JSON."""
    events = [{"event": type(event).__name__.lower(), **members(event)} for event in step.events]
    return {"line": step.line.line, "text": str(step), "events": events, "failure": step.failure or None}


def members(value: Event | Outcome | Part) -> dict[str, object]:
    """An event, or what stands in one, as JSON."""
    names = ("name", "count", "each", "rule") if isinstance(value, Part) else [f.name for f in fields(value)]
    return {name: getattr(value, name) for name in names}
