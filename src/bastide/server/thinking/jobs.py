"""What bots are asked, and how a question is answered: plain data in, plain data out, wherever bots think."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol

import msgspec
from msgspec import Struct

from bastide.analysis import as_json, review
from bastide.bots import bot
from bastide.game import Game, View
from bastide.notation.record import read_record
from bastide.server.tables.setup import Setup

KEPT = 16  # games that a process remembers between two questions


class Job(Struct, frozen=True):
    """A question for a bot."""

    table: str
    seq: int  # of the line that asked
    setup: Setup
    colours: list[str]
    history: list[str]  # all actions, the past ones of the setup too
    seat: int
    bot: str
    seed: int


class BotFailed(Exception):
    """A bot, or who judges a game, gave no answer; the message says why."""


class BotService(Protocol):
    """Whoever lets bots think."""

    async def choose(self, job: Job) -> str:
        """The action that the bot chooses; BotFailed if there is none."""

    async def review(self, record: str) -> str:
        """The analysis of a record, as JSON; BotFailed if there is none. No bot waits for it."""

    async def close(self) -> None:
        """Nobody asks any more."""


_games: OrderedDict[str, Game] = OrderedDict()


def answer_job(data: bytes) -> str:
    """Runs in a process of its own: the position is caught up with, then the bot is asked."""
    job = msgspec.json.decode(data, type=Job)
    player = bot(job.bot, job.seed)
    try:
        return str(player.choose(View(game_of_job(job), job.seat)))
    finally:
        player.close()


def review_record(data: bytes) -> str:
    """Runs in a process of its own: `bastide analyse --json`."""
    return msgspec.json.encode(as_json(review(read_record(data.decode())))).decode()


def game_of_job(job: Job) -> Game:
    """The game of a job: the one known from the last question, gone back and forth as needed, or a new one."""
    game = _games.pop(job.table, None)
    if game is None:
        game, _ = job.setup.game(job.colours)
    same = 0
    for (_, action), text in zip(game.history, job.history, strict=False):
        if str(action) != text:
            break
        same += 1
    while len(game.history) > same:
        game.undo()
    for text in job.history[same:]:
        game.play(text)
    _games[job.table] = game  # only now: a game that failed on the way is not kept
    while len(_games) > KEPT:
        _games.popitem(last=False)
    return game
