"""A bot that is a program of its own, in any language: it speaks lines of JSON.

It is asked on its standard input and answers on its standard output, one line each; `bots/messages.py` makes the lines.
It is asked only when its seat has to decide, and told everything that the seat may know.
"""
# interpreted: speaks to people

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import IO, Any

from bastide.bots.bot import Bot
from bastide.bots.messages import farewell, greeting, question, tried
from bastide.errors import ActionSyntaxError, BotError
from bastide.game import Action, Rng, View
from bastide.rules import Rules

SECONDS = 60.0  # for an answer
GRACE = 2.0  # for a program to end by itself
AHEAD = 100  # lines that a program may write before they are asked for
LONGEST = 1_000_000  # characters of a line
TICKS = 100.0  # a second of processor time, as the system tells it


class ProgramBot(Bot):
    """A program beside this one. It is started at the first question and ended by `close`."""

    def __init__(self, command: str, seed: int = 0, seconds: float = SECONDS) -> None:
        self.command = command
        self.seed = seed
        self.seconds = seconds
        self.process: subprocess.Popen[str] | None = None
        self.lines: Queue[str] = Queue()
        self.rules: Rules | None = None  # those it was greeted with

    def choose(self, view: View) -> Action:
        until = monotonic() + (self.time_ms / 1000 or self.seconds)
        if self.process is None or self.rules is not view.rules:
            self.rules = view.rules
            self.ask(greeting(view, self.seed), monotonic() + self.seconds)
        answer = self.ask(question(view, self.time_ms), until)
        while "try" in answer:
            answer = self.ask(tried(view.imagine(Rng(self.seed)), answer["try"]), until)
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

    def ended(self, view: View) -> None:
        if self.process is not None and self.process.stdin is not None:
            with suppress(OSError):  # it has ended already
                self.process.stdin.write(json.dumps(farewell(view)) + "\n")
                self.process.stdin.flush()
        self.close()

    def ask(self, message: dict[str, Any], until: float) -> dict[str, Any]:
        """One line to the program, one line back."""
        if self.process is None:
            self.start()
        process = self.process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            line = self.lines.get(timeout=max(0.0, until - monotonic()))
        except OSError as error:
            raise self.failed(f"it does not read any more ({error})") from error
        except Empty as error:
            raise self.failed(f"no answer within {self.time_ms / 1000 or self.seconds:g} seconds") from error
        if not line:
            raise self.failed("it ended without an answer")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self.failed(f"expected a line of JSON, got {line.strip()[:80]!r}") from error
        if not isinstance(answer, dict):
            raise self.failed(f"expected an object, got {line.strip()[:80]!r}")
        return answer

    def start(self) -> None:
        """Starts the program; what it writes is read by a thread, so that nobody waits for ever."""
        try:
            self.process = subprocess.Popen(
                shlex.split(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that what it starts can be ended with it
            )
        except (OSError, ValueError) as error:
            raise BotError(f"{self.command}: {error}") from error
        assert self.process.stdout is not None
        self.lines = Queue()
        Thread(target=read_lines, args=(self.process.stdout, self.lines), daemon=True).start()

    def cpu_seconds(self) -> float:
        """Processor time of the program, where the system tells it (Linux)."""
        if self.process is None:
            return 0.0
        try:
            words = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(words[11]) + int(words[12])) / TICKS

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
        if sys.platform != "win32":
            with suppress(ProcessLookupError):  # it has left nobody behind
                os.killpg(process.pid, signal.SIGKILL)

    def __del__(self) -> None:
        self.close()


def read_lines(stream: IO[str], lines: Queue[str]) -> None:
    """Passes lines on; an empty one says that there are no more. Who writes too much is not read any further."""
    with stream:
        while lines.qsize() < AHEAD and (line := stream.readline(LONGEST)):
            lines.put(line)
    lines.put("")
