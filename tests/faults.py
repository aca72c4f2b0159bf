"""Breaks a server in every way while programs play at it: `scripts/faults` runs this, see there.

After each fault: every client is back within BACK seconds of the service, every table goes on, and at the end every
acknowledged action is stored, once, in order, in games that can be played again, and nobody has lost a game on time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from websockets.asyncio.client import ClientConnection, connect

from bastide.server.content.catalogue import VERSION
from bastide.server.load import players
from bastide.server.load.figures import Figures, percentile
from bastide.server.load.players import Pair, post, say
from bastide.server.settings import database_url
from bastide.server.storage.store import Store
from tests.server.served import children
from tests.services import Postgres, RedisServer, Service, free_port, missing

BACK = 5.0  # seconds in which all clients must be back once the service is
START = 60.0  # seconds in which the server must answer and every table, also of bots, must have gone on
GONE = 30.0  # seconds in which the server must notice that a client is gone
HANGS = 10.0  # seconds for which a part is stopped
CLOCK = {"kind": "turn", "seconds": 15}  # of every table: hardly longer than a part is away
STEP = 3600  # seconds by which the clock of the machine is set, ahead and back again
STEPPED = 3.0  # seconds until every process has noticed
RESTARTS, EVERY = 10, 12.0  # of PostgreSQL, and seconds from one to the next
COPIED = 20.0  # seconds in which a copy of the database must be made while tables play
BEAT, PAUSED = 0.2, 1.0  # seconds between two looks whether everything here stood still, and from which on it did
LOCKED = 12.0  # seconds for which another program locks the file of SQLite: longer than a writer waits
BOTS = {"seats": [{"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "greedy"}]}
PEOPLE = {"seats": [{"kind": "human"}, {"kind": "open"}]}


class Failed(Exception):
    """A fault did more harm than it may."""


class Stand:
    """A server with all that belongs to it; `faults` are the ways in which it can be broken."""

    kind = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.database = str(folder / "tables.sqlite3")
        self.server: subprocess.Popen[bytes] | None = None
        self.variables: dict[str, str] = {}
        self.time = folder.parent / "time"  # by how much the clock of the server is wrong
        self.time.write_text("0")

    def run(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A command of Bastide."""
        environment = {**os.environ, **self.variables, "STEPPED_CLOCK": str(self.time)}
        with (self.folder.parent / f"{self.kind}-{arguments[0]}.log").open("ab") as log:
            command = [sys.executable, "-m", "tests.stepped_clock", *arguments]
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def start_server(self) -> None:
        """Serves; on one machine one process."""
        self.server = self.run("serve", "--port", str(self.port), "--database", self.database)

    async def ready(self) -> None:
        """Waits until the server answers."""
        until = monotonic() + START
        while monotonic() < until:
            with suppress(URLError, OSError):
                await asyncio.to_thread(lambda: urlopen(f"http://{self.address}/healthz", timeout=2).read())
                return
            await asyncio.sleep(0.1)
        raise Failed("the server does not answer")

    def begin(self) -> None:
        """Starts everything."""
        self.start_server()

    def end(self) -> None:
        """Stops everything."""
        if self.server is not None:
            self.server.terminate()
            self.server.wait()

    # --- faults
    async def kill_server(self) -> None:
        """The server is killed and started again, as systemd would."""
        assert self.server is not None
        self.server.kill()
        self.server.wait()
        self.start_server()

    async def kill_bots(self) -> None:
        """A process in which bots think is killed; the server makes another."""
        assert self.server is not None
        for child in children(self.server.pid):
            os.kill(child, signal.SIGKILL)

    async def fill_disk(self) -> None:
        """No room is left for some seconds."""
        filler = self.folder / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(b"\0" * 65536)
        await asyncio.sleep(3)
        filler.unlink()

    async def stop_server(self) -> None:
        """The server stands still, as a machine does that is paused."""
        assert self.server is not None
        await hang(self.server.pid)

    async def stop_bots(self) -> None:
        """The processes in which bots think stand still."""
        assert self.server is not None
        await hang(*children(self.server.pid))

    async def lock_database(self) -> None:
        """Another program locks the file of SQLite."""
        other = sqlite3.connect(self.database, isolation_level=None, timeout=30)
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(LOCKED)
        other.execute("ROLLBACK")
        other.close()

    async def set_clock(self) -> None:
        """Somebody sets the clock of the machine ahead, and back again."""
        for offset in (STEP, -STEP, 0):
            self.time.write_text(str(offset))
            await asyncio.sleep(STEPPED)

    async def back_up(self) -> None:
        """A copy of the database is made while tables play."""
        copy = self.folder.parent / "copy.sqlite3"
        copy.unlink(missing_ok=True)
        copying = self.run("admin", "backup", str(copy), "--database", self.database)
        if await asyncio.to_thread(copying.wait, COPIED):
            raise Failed("the copy was not made")

    async def slow_client(self) -> None:
        """Clients that read nothing for a while, at a table where much happens."""
        async with self.silent(BOTS, 10):
            await asyncio.sleep(3)

    async def half_open(self) -> None:
        """A client that has vanished without a word: the server must notice by itself, and tell who watches."""
        async with self.silent(PEOPLE, 1) as table, connect(self.socket_of(table), compression=None) as watching:
            await say(watching, type="hello", version=VERSION, token="")
            there = False
            try:
                async with asyncio.timeout(GONE):
                    while True:
                        here = is_online(json.loads(await watching.recv()), there)
                        if there and not here:
                            return
                        there = here
            except TimeoutError as late:
                raise Failed(f"the server {'believes' if there else 'never saw'} that somebody is there") from late

    @asynccontextmanager
    async def silent(self, wanted: dict[str, Any], count: int) -> AsyncIterator[str]:
        """Sockets at a new table that say hello and then read nothing, not even pings."""
        made = await asyncio.to_thread(post, f"http://{self.address}/api/tables", wanted)
        path = self.socket_of(made["table"])
        token = made["seats"][0]["token"] if made["seats"] else ""
        sockets: list[ClientConnection] = []
        try:
            for _ in range(count):
                socket = await connect(path, compression=None, ping_interval=None)
                sockets.append(socket)
                await say(socket, type="hello", version=VERSION, token=token)
                await socket.recv()
                socket.transport.pause_reading()
            yield made["table"]
        finally:
            for socket in sockets:
                socket.transport.abort()

    def socket_of(self, table: str) -> str:
        """Where a table is played."""
        return f"ws://{self.address}/api/tables/{table}/socket"

    async def state(self, table: str) -> dict[str, Any]:
        """A table as a spectator sees it; asked for until the server answers."""

        def ask() -> dict[str, Any]:
            with urlopen(f"http://{self.address}/api/tables/{table}/state", timeout=5) as answer:
                found: dict[str, Any] = json.load(answer)
                return found

        until = monotonic() + START
        while monotonic() < until:
            with suppress(URLError, OSError):
                return await asyncio.to_thread(ask)
            await asyncio.sleep(0.2)
        raise Failed("the server does not answer")

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All faults of this stand, by name."""
        return {**self.usual_faults, "locked file": self.lock_database, "backup": self.back_up}

    @property
    def usual_faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """Faults that are possible with every storage."""
        return {
            "kill -9 of the bots' process": self.kill_bots,
            "full disk": self.fill_disk,
            "slow client": self.slow_client,
            "half-open socket": self.half_open,
            "SIGSTOP of a server process": self.stop_server,
            "SIGSTOP of the bots' process": self.stop_bots,
            f"clock set by {STEP} s": self.set_clock,
        }


class SharedStand(Stand):
    """Two server processes, a worker, PostgreSQL and Redis."""

    kind = "postgresql"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)  # services keep their files on the small disk too
        self.postgres, self.redis = Postgres(), RedisServer()
        self.worker: subprocess.Popen[bytes] | None = None

    def start_server(self) -> None:
        self.server = self.run("serve", "--port", str(self.port), "--workers", "2")

    def start_worker(self) -> None:
        """Lets bots think."""
        self.worker = self.run("work")

    def begin(self) -> None:
        self.postgres.start()
        self.redis.start()
        self.database = self.postgres.database("faults")
        self.variables = {"BASTIDE_DATABASE": self.database, "BASTIDE_REDIS": self.redis.url}
        self.start_server()
        self.start_worker()

    def end(self) -> None:
        super().end()
        if self.worker is not None:
            self.worker.terminate()
            self.worker.wait()
        for service in (self.postgres, self.redis):
            service.end(signal.SIGINT)

    async def kill_server(self) -> None:
        """The server's oldest process, which has most clients, is killed; the others go on and it is replaced."""
        assert self.server is not None
        os.kill(min(children(self.server.pid)), signal.SIGKILL)

    async def kill_bots(self) -> None:
        """The worker is killed and started again."""
        assert self.worker is not None
        self.worker.kill()
        self.worker.wait()
        self.start_worker()

    async def stop_server(self) -> None:
        """One of the two processes stands still."""
        assert self.server is not None
        await hang(min(children(self.server.pid)))

    async def stop_bots(self) -> None:
        """The worker stands still, with its processes."""
        assert self.worker is not None
        await hang(self.worker.pid, *children(self.worker.pid))

    async def stop_service(self, service: Service) -> None:
        """A service keeps its connections and answers nobody."""
        assert service.process is not None
        await hang(service.process.pid, *children(service.process.pid, spawned=False))

    async def kill_service(self, service: Service) -> None:
        """A service is killed, stays away for a moment and comes back."""
        await asyncio.to_thread(service.kill)
        await asyncio.sleep(1)
        await asyncio.to_thread(service.start)

    async def restart_postgres(self) -> None:
        """PostgreSQL is started anew again and again, at its leisure and in a hurry by turns."""
        for number in range(RESTARTS):
            began = monotonic()
            await asyncio.to_thread(self.postgres.end, (signal.SIGINT, signal.SIGQUIT)[number % 2])
            await asyncio.to_thread(self.postgres.start)
            if number < RESTARTS - 1:
                await asyncio.sleep(max(0.0, began + EVERY - monotonic()))

    async def fill_disk(self) -> None:
        """PostgreSQL may stop for want of room; it is started again when there is some."""
        await super().fill_disk()
        if self.postgres.process is not None and self.postgres.process.poll() is not None:
            await asyncio.to_thread(self.postgres.start)

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        return {
            **self.usual_faults,
            "SIGSTOP of Redis": lambda: self.stop_service(self.redis),
            "SIGSTOP of PostgreSQL": lambda: self.stop_service(self.postgres),
            "kill -9 of Redis": lambda: self.kill_service(self.redis),
            "kill -9 of PostgreSQL": lambda: self.kill_service(self.postgres),
            f"{RESTARTS} restarts of PostgreSQL": self.restart_postgres,
        }


async def hang(*processes: int) -> None:
    """These processes stand still for a while."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        await asyncio.sleep(HANGS)
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def is_online(message: dict[str, Any], before: bool) -> bool:
    """Is the first seat there, as far as a message tells?"""
    match message["type"]:
        case "state" | "change":
            return bool(message["seats"][0]["online"]) if "seats" in message else before
        case "presence":
            return bool(message["online"][0])
    return before


# --- one run


class Run:
    """A load on a stand, and faults one after the other."""

    def __init__(self, stand: Stand, tables: int) -> None:
        self.stand = stand
        self.figures = Figures()
        players.TABLE = {**players.TABLE, "clock": CLOCK}
        self.pairs = [Pair(stand.address, self.figures, Random(number), 0.3) for number in range(tables)]
        self.bots: list[str] = []
        self.paused = 0.0  # seconds in which this program was stopped with all that it has started

    def now(self) -> float:
        """The moment; it does not go on while this program is stopped."""
        return monotonic() - self.paused

    async def note_pauses(self) -> None:
        """Looks whether somebody has stopped everything here."""
        while True:
            began = monotonic()
            await asyncio.sleep(BEAT)
            late = monotonic() - began - BEAT
            self.paused += late if late > PAUSED else 0.0

    async def all(self, kills: int, others: bool = True) -> None:
        """Every fault once, and so many kills of a server process."""
        stand = self.stand
        stand.begin()
        try:
            await stand.ready()
            playing = [asyncio.create_task(pair.run(monotonic() + 36000)) for pair in self.pairs]
            playing.append(asyncio.create_task(self.note_pauses()))
            self.bots = [
                (await asyncio.to_thread(post, f"http://{stand.address}/api/tables", BOTS))["table"] for _ in range(2)
            ]
            try:
                await self.gone_on("begin", self.now())
                for name, fault in stand.faults.items() if others else ():
                    await self.one(name, fault)
                for number in range(kills):
                    await self.one(f"kill -9 of a server process, {number + 1} of {kills}", stand.kill_server)
            finally:
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
            await self.check_lines()
        finally:
            stand.end()

    async def one(self, name: str, fault: Callable[[], Awaitable[None]]) -> None:
        """One fault, and what comes after it; once more if everything was stopped meanwhile."""
        known, paused = len(self.figures.away), self.paused
        began = self.now()
        await fault()
        await self.stand.ready()
        served = self.now()
        went_on = await self.gone_on(name, served)
        while not all(seat.socket is not None and not seat.lost for pair in self.pairs for seat in pair.seats):
            self.check_time(name, served, "a client")
            await asyncio.sleep(0.02)
        if self.paused > paused:
            say_line(
                f"{self.stand.kind}: {name}: once more, for everything stood still for {self.paused - paused:.0f} s"
            )
            await self.one(name, fault)
            return
        without = max(self.figures.away[known:], default=0.0)
        times = f"served after {served - began:.1f} s, no client without it for more than {without:.1f} s"
        say_line(f"{self.stand.kind}: {name}: {times}, all tables on after {went_on:.1f} s")
        if without > served - began + BACK:
            raise Failed(f"{name}: a client needed {without:.1f} s to come back")

    async def gone_on(self, name: str, since: float) -> float:
        """Waits until every table has gone on."""
        counts = {id(pair): len(pair.acknowledged) for pair in self.pairs}
        bots = {table: await self.lines_of(table) for table in self.bots}
        while any(len(pair.acknowledged) == counts[id(pair)] for pair in self.pairs):
            self.check_time(name, since, "a table of people")
            await asyncio.sleep(0.02)
        for table, seq in bots.items():
            while (now := await self.lines_of(table)) == seq and now >= 0:
                self.check_time(name, since, "a table of bots")
                await asyncio.sleep(0.2)
        self.bots = [table for table in self.bots if await self.lines_of(table) >= 0]
        while len(self.bots) < 2:  # the games of bots that are over are followed by others
            made = await asyncio.to_thread(post, f"http://{self.stand.address}/api/tables", BOTS)
            self.bots.append(made["table"])
        return self.now() - since

    def check_time(self, name: str, since: float, what: str) -> None:
        """Refuses to wait for ever."""
        if self.now() - since > START:
            raise Failed(f"{name}: {what} is stuck")

    async def lines_of(self, table: str) -> int:
        """How many lines a table has; -1 when its game is over."""
        state = await self.stand.state(table)
        return -1 if state["status"] == "over" else int(state["seq"])

    @property
    def summary(self) -> str:
        """What the clients saw."""
        found = self.figures
        return (
            f"{len(found.away)} connections lost and found again; refused: {found.stale} stale, "
            f"{found.unavailable} unavailable; acknowledged p50 {percentile(found.acknowledged, 0.5):.0f} ms; "
            f"errors: {sorted(set(found.errors)) or 'none'}"
        )

    async def check_lines(self) -> None:
        """All that was acknowledged is stored, and every game can be played again."""
        store = Store(database_url(self.stand.database))
        acknowledged = [entry for pair in self.pairs for entry in pair.acknowledged]
        lost, late = 0, []
        for name in sorted({table for table, _, _ in acknowledged}):
            lines = await store.lines(name)
            if [line.seq for line in lines] != list(range(1, len(lines) + 1)):
                raise Failed(f"table {name}: lines are missing or doubled")
            await store.load(name)  # refuses what is not legal
            texts = {line.seq: line.text for line in lines}
            late += [f"{name} line {line.seq}" for line in lines if line.text.startswith("time ")]
            lost += sum(not is_stored(texts, seq, text) for table, seq, text in acknowledged if table == name)
        await store.close()
        say_line(f"{self.stand.kind}: {len(acknowledged)} acknowledged actions, {lost} lost; {self.summary}")
        if lost or late or self.figures.errors:
            raise Failed(f"acknowledged and lost: {lost}; lost on time: {late}; errors: {set(self.figures.errors)}")
        say_line(f"{self.stand.kind}: nobody lost a game on time")


def is_stored(texts: Mapping[int, str], seq: int, text: str) -> bool:
    """Does a table have this line at this place, or behind lines that gave time back meanwhile?"""
    while texts.get(seq, "").startswith("credit "):
        seq += 1
    return texts.get(seq) == text


def say_line(text: str) -> None:
    """Tells how it goes."""
    print(text, flush=True)


@asynccontextmanager
async def small_disk(size: str) -> AsyncIterator[Path]:
    """A folder on a disk of its own, if this machine lets us make one; else an ordinary folder."""
    folder = Path(tempfile.mkdtemp(prefix="faults-", dir="/tmp"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        say_line("no small disk can be made here: the full disk is left out")
    try:
        yield disk
    finally:
        if not mounted.returncode:
            subprocess.run(["umount", "-l", str(disk)], check=False)
        shutil.rmtree(folder, ignore_errors=True)


async def main() -> None:
    """All that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--storage", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--kills", type=int, default=20, help="of server processes, with each storage")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--only-kills", action="store_true", help="no other faults: to go on with a count")
    wanted = parser.parse_args()
    if wanted.storage != "sqlite" and (lacking := missing()):
        raise Failed(lacking)
    for make, size in ((Stand, "24M"), (SharedStand, "300M")):
        if wanted.storage in (make.kind, "both"):
            async with small_disk(size) as disk:
                await Run(make(disk), wanted.tables).all(wanted.kills, not wanted.only_kills)
    say_line("all well")


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except Failed as failure:
        sys.exit(f"failed: {failure}")
