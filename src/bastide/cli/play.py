"""`bastide play`: a game in the terminal, between people and bots."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

import click

from bastide.bots import bot, par
from bastide.cli.choice import chooses_rules, players_of, rules_of, takes_code
from bastide.cli.replay import tell
from bastide.errors import BastideError, OptionError
from bastide.game import Action, Event, Game
from bastide.game.actions import Place, cell_text
from bastide.geometry import Cell
from bastide.notation.ascii import draw_board, draw_tile, standing
from bastide.notation.record import write_record
from bastide.notation.replay import record_of
from bastide.rules.texts import describe

HELP = """\
Type the number of an action, or the action itself (`place D 1,0 90`, `deploy follower 1,0 city N`, `pass`).
  ?         this help          legal     all legal actions         board     the board again
  undo      take back          tiles     tiles not yet seen        why TEXT  why an action is illegal
  region 1,0 city N            what is in a region                 save FILE write the game down
  rules     where to read      quit      leave the game (it can be saved before)"""


class Quit(Exception):
    """Somebody quits."""


@click.command()
@click.option("--seats", help="Who plays: human or a bot for each seat.  [default: human,greedy, or human with --code]")
@takes_code
@click.option("--seed", type=int, help="Draw the same tiles again.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the game here when it ends.")
@click.option("--colour/--no-colour", default=None, help="Colours in the terminal (by itself where it can).")
@chooses_rules
def command(
    seats: str | None,
    codes: tuple[str, ...],
    seed: int | None,
    save: Path | None,
    colour: bool | None,
    edition: str,
    modules: str,
    preset: str,
    settings: tuple[str, ...],
) -> None:
    """Play a game in the terminal.

    SEATS is a list such as human,greedy or human,human,random. All boxes are played with --modules.
    """
    seed = secrets.randbits(31) if seed is None else seed
    usual = "human" if codes else "human,greedy"
    wanted = players_of(usual if seats is None else seats, codes)
    rules = rules_of(edition, modules, preset, settings, len(wanted))
    players = [None if name == "human" else bot(name, seed + i) for i, name in enumerate(wanted)]
    game = Game(rules, seed=seed)
    click.echo(f"{describe(rules.choice)}\nSeed {seed}. Type ? for help.")
    tell_all(game.first_events, game)
    try:
        while not game.over:
            player = players[game.seat]
            action = ask(game, colour) if player is None else player.choose(game.view(game.seat))
            if player is not None:
                click.echo(f"{game.names[game.seat]}: {action}")
            tell_all(game.play(action), game)
        click.echo(f"{draw_board(game, colour=bool(colour))}\n{standing(game)}")
        outcome = game.outcome
        assert outcome is not None
        click.secho(f"Winner: {', '.join(game.names[seat] for seat in outcome.winners)}", bold=True)
        if len(players) == 1:
            click.echo(f"Par with these tiles: {par(rules, seed)} points. You made {game.scores[0]}.")
    except Quit:
        click.echo("The game ends here.")
    if save is not None:
        write(game, save)


def tell_all(events: Sequence[Event], game: Game) -> None:
    """What an action brought, line by line."""
    for event in events:
        for line in tell(event, game.names):
            click.echo(f"    {line}")


def ask(game: Game, colour: bool | None) -> Action:
    """A person decides: shows the board and the choices, and reads until an action is legal."""
    if len(game.legal) == 1:
        click.echo(f"{game.names[game.seat]} can only: {game.legal[0]}")
        return game.legal[0]
    show_question(game, colour)
    while True:
        text = click.prompt(game.names[game.seat], prompt_suffix="> ").strip()
        try:
            action = read_line(game, text, colour)
        except BastideError as refusal:
            click.echo(f"  {refusal}")
            continue
        if action is not None:
            return action


def show_question(game: Game, colour: bool | None) -> None:
    """The board with numbered places, the tile in hand, and the numbered actions."""
    click.echo(draw_board(game, places(game), colour=bool(colour)))
    click.echo(standing(game))
    if game.tile:
        click.echo(draw_tile(next(t for t in game.rules.tiles if t.id == game.tile), colour=bool(colour)))
    for number, action in enumerate(game.legal, 1):
        click.echo(f"{number:>4}  {action}")


def places(game: Game) -> dict[Cell, str]:
    """Open cells where the tile fits, with the numbers of the actions there."""
    found: dict[Cell, list[int]] = {}
    for number, action in enumerate(game.legal, 1):
        if action.verb == "place" and action.cell is not None:
            found.setdefault(action.cell, []).append(number)
    return {cell: f"{n[0]}" if len(n) == 1 else f"{n[0]}-{n[-1]}" for cell, n in found.items()}


def read_line(game: Game, text: str, colour: bool | None) -> Action | None:
    """The action that a line means, or nothing if it was a question that is answered now."""
    word, _, rest = text.partition(" ")
    if word.isdecimal() and not rest:
        if not 1 <= int(word) <= len(game.legal):
            raise OptionError(f"expected a number from 1 to {len(game.legal)}, got {word}")
        return game.legal[int(word) - 1]
    if word == "?" or word == "help":
        click.echo(HELP)
    elif word in ("legal", "board"):
        show_question(game, colour)
    elif word == "tiles":
        unseen = game.view(game.seat).unseen
        click.echo("  " + ", ".join(f"{count} {name}" for name, count in unseen.items()))
    elif word == "why":
        click.echo(f"  {game.explain(rest) or 'It is legal.'}")
    elif word == "region":
        show_region(game, rest)
    elif word == "rules":
        click.echo(f"  bastide rules --module {game.rules.module_names[0]}")
    elif word == "save":
        write(game, Path(rest or "game.txt"))
    elif word == "undo":
        take_back(game)
        show_question(game, colour)
    elif word in ("quit", "exit"):
        raise Quit
    else:
        return legal_action(game, text)
    return None


def take_back(game: Game) -> None:
    """Undoes until the same person decides again: the bots' answers go with it."""
    seat = game.seat
    click.echo(f"  taken back: {game.undo()}")
    while game.seat != seat and game.history:
        click.echo(f"  taken back: {game.undo()}")


def legal_action(game: Game, text: str) -> Action:
    """An action written out, if it is legal."""
    action = Action.parse(text)
    reason = game.explain(action)
    if reason is not None:
        raise OptionError(reason)
    return action


def show_region(game: Game, text: str) -> None:
    """What is in the region at `1,0 city N`."""
    place = Place.parse(text)
    if place.cell is None:
        raise OptionError(f"expected a cell and a spot such as 1,0 city N, got {text!r}")
    region = game.region(place.cell, place.spot)
    state = "complete" if region.complete else f"{region.open} open" if region.open else "never complete"
    click.echo(f"  {region.kind} of {region.tiles} tiles, {state}")
    for figure in region.figures:
        click.echo(f"  {game.names[figure.seat]} {figure.piece} on {cell_text(figure.cell)} {figure.spot}")


def write(game: Game, path: Path) -> None:
    """The game as a record, to be replayed."""
    path.write_text(write_record(record_of(game)), "utf-8")
    click.echo(f"  written to {path}; bastide replay {path} shows it")
