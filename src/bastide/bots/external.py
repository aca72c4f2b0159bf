"""Anybody's bots: a class in a file of Python, or a program in any language that speaks lines of JSON.

The program is asked on its standard input and answers on its standard output, one line each; docs/writing-a-bot.md
has all fields. It is asked only when its seat has to decide, and told everything that the seat may know.
"""
# interpreted: speaks to people

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from bastide.bots.bot import Bot
from bastide.errors import ActionSyntaxError, BotError
from bastide.game import Action, View

PROTOCOL = 1
SECONDS = 60.0  # for an answer
GRACE = 2.0  # for a program to end by itself
_numbers = count(1)


def bot_from_file(path: str, seed: int = 0) -> Bot:
    """The bot of a Python file: the one subclass of Bot that is defined there. `FILE.py:NAME` picks one of several."""
    file, _, wanted = path.partition(".py:")
    source = Path(f"{file}.py" if wanted else path)
    if not source.is_file():
        raise BotError(f"{source}: there is no such file")
    name = f"bastide_bot_{next(_numbers)}"
    spec = spec_from_file_location(name, source)
    if spec is None or spec.loader is None:
        raise BotError(f"{source}: expected a file of Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BotError(f"{source}: {type(error).__name__}: {error}") from error
    found = {
        key: kind
        for key, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Bot) and kind.__module__ == name
    }
    if wanted:
        found = {key: kind for key, kind in found.items() if key == wanted}
    if len(found) != 1:
        raise BotError(
            f"{source}: expected one subclass of Bot{f' called {wanted}' * bool(wanted)}, found {len(found)}"
        )
    return made(next(iter(found.values())), seed, source)


def made(kind: type[Bot], seed: int, source: Path) -> Bot:
    """A bot of a class that takes a seed."""
    try:
        return kind(seed)
    except TypeError as error:
        raise BotError(f"{source}: {kind.__name__} is made with a seed: {error}") from error


class ProgramBot(Bot):
    """A program beside this one. It is started at the first question and ended by `close`."""

    def __init__(self, command: str, seed: int = 0, seconds: float = SECONDS) -> None:
        self.command = command
        self.seed = seed
        self.seconds = seconds
        self.process: subprocess.Popen[str] | None = None
        self.lines: Queue[str] = Queue()

    def choose(self, view: View) -> Action:
        answer = self.ask(question(view))
        text = answer.get("action")
        if not isinstance(text, str):
            raise BotError(f"{self.command}: expected an answer such as {{'action': 'pass'}}, got {answer}")
        try:
            action = Action.parse(text)
        except ActionSyntaxError as error:
            raise BotError(f"{self.command}: {error}") from error
        if action not in view.legal:
            raise BotError(f"{self.command}: {text!r} is not legal now")
        return action

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """One line to the program, one line back."""
        if self.process is None:
            self.start()
            self.ask({"ask": "hello", "protocol": PROTOCOL, "seed": self.seed})
        process = self.process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            line = self.lines.get(timeout=self.seconds)
        except OSError as error:
            raise self.failed(f"it does not read any more ({error})") from error
        except Empty as error:
            raise self.failed(f"no answer within {self.seconds:g} seconds") from error
        if not line:
            raise self.failed("it ended without an answer")
        try:
            answer = json.loads(line)
        except json.JSONDecodeError as error:
            raise self.failed(f"expected a line of JSON, got {line.strip()[:80]!r}") from error
        if not isinstance(answer, dict):
            raise self.failed(f"expected an object, got {line.strip()[:80]!r}")
        return answer

    def start(self) -> None:
        """Starts the program; what it writes is read by a thread, so that nobody waits for ever."""
        try:
            self.process = subprocess.Popen(
                shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except (OSError, ValueError) as error:
            raise BotError(f"{self.command}: {error}") from error
        assert self.process.stdout is not None
        self.lines = Queue()
        Thread(target=read_lines, args=(self.process.stdout, self.lines), daemon=True).start()

    def failed(self, why: str) -> BotError:
        """Ends the program; the error says why."""
        self.close()
        return BotError(f"{self.command}: {why}")

    def close(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        try:
            assert process.stdin is not None
            process.stdin.close()
        except OSError:
            pass  # it has ended already
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __del__(self) -> None:
        self.close()


def read_lines(stream: IO[str], lines: Queue[str]) -> None:
    """Passes lines on; an empty one says that there are no more."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put("")


def question(view: View) -> dict[str, Any]:
    """Everything that a seat may know, as JSON."""
    rules = view.rules
    return {
        "ask": "choose",
        "seat": view.seat,
        "players": list(view.names),
        "edition": rules.edition,
        "modules": list(rules.module_names),
        "options": rules.options,
        "scores": list(view.scores),
        "turn": view.turn,
        "tile": view.tile,
        "left": view.tiles_left,
        "supply": list(view.supply),
        "secret": list(view.secret),
        "secret_counts": list(view.secret_counts),
        "unseen": view.unseen,
        "board": [
            {"tile": laid.tile.id, "cell": list(cell), "turn": laid.rotation} for cell, laid in view.board.items()
        ],
        "figures": [
            {"seat": figure.seat, "piece": figure.piece, "cell": list(figure.cell), "spot": figure.spot}
            for figure in view.board.figures
        ],
        "history": [[seat, str(action)] for seat, action in view.history],
        "legal": [str(action) for action in view.legal],
    }
