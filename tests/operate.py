"""Tries docs/running-a-server.md literally, on a machine of its own: `scripts/operate` runs this, see there.

Every block of the page that is marked `sh` is run, by its first line; the rest here plays games meanwhile and looks
whether they are still there. Nothing of the machine outside is changed: this process has its own mounts and network.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, Request, build_opener, urlopen

from websockets.sync.client import connect

from bastide.server.storage.database import newest_form
from tests.server.served import children
from tests.services import Postgres, RedisServer
from tests.snippets import ROOT, blocks

HERE = "127.0.0.1:8421"
PATIENCE = 120.0  # seconds for anything to happen
NAMES = ("db.example", "redis.example", "bastide.example")
OWN = ("/opt", "/srv", "/run", "/var/log", "/var/cache/bastide", "/var/lib/bastide")  # folders that are empty here
DATA = Path("/var/lib/bastide")


class Failed(Exception):
    """The page promises too much."""


def say(text: str) -> None:
    print(f"operate: {text}", flush=True)


def demand(good: bool, what: str) -> None:
    if not good:
        raise Failed(what)


class Page:
    """The blocks of the page by their first line, each to be run."""

    def __init__(self, away: Path) -> None:
        found = [code.split("\n", 1) for code in blocks(ROOT / "docs" / "running-a-server.md", "sh")]
        self._blocks = {first.removeprefix("# "): rest for first, rest in found}
        self._left = set(self._blocks)
        self._away = away
        self._variables = {
            "HOME": str(away),
            "LANG": "C.UTF-8",
            "PATH": f"{away}/bin:{Path(sys.executable).resolve().parent}:/usr/sbin:/usr/bin:/sbin:/bin",
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_CONSTRAINT": str(away / "versions.txt"),
            "PGHOST": "127.0.0.1",
            "PGUSER": "bastide",
        }

    def run(self, name: str, wheel: str = "new") -> None:
        """Runs a block as it stands there; `bastide` is installed from this wheel, in a checkout of its version."""
        where = ROOT if wheel == "new" else self._away / "older"
        say(f"the page: {name}")
        self._left.discard(name)
        links = {"PIP_FIND_LINKS": f"{self._away}/packages {self._away}/{wheel}"}
        command = ["bash", "-euo", "pipefail", "-c", self._blocks[name]]
        done = subprocess.run(
            command,
            cwd=where,
            env={**self._variables, **links},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise Failed(f"{name}: {done.stdout[-2000:]}{done.stderr[-4000:]}")

    def finish(self) -> None:
        """Was every block tried?"""
        demand(not self._left, f"these blocks of the page were not tried: {sorted(self._left)}")


# --- a machine of its own


def prepare(away: Path) -> None:
    """Own folders, own /etc, names of the page, a certificate, and what stands in for systemctl."""
    shutil.copytree("/etc", away / "etc", symlinks=True)
    subprocess.run(["mount", "--bind", str(away / "etc"), "/etc"], check=True)
    for folder in OWN:
        Path(folder).mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    for folder in ("/var/log/nginx", "/etc/systemd/system", "/etc/logrotate.d"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with open("/etc/hosts", "a") as hosts:
        hosts.write("".join(f"127.0.0.1 {name}\n" for name in NAMES))
    key = ["-newkey", "rsa:2048", "-nodes", "-keyout", "/etc/ssl/bastide.example.key", "-subj", "/CN=bastide.example"]
    certificate = [
        "-days",
        "2",
        "-addext",
        "subjectAltName=DNS:bastide.example",
        "-out",
        "/etc/ssl/bastide.example.crt",
    ]
    subprocess.run(["openssl", "req", "-x509", *key, *certificate], check=True, capture_output=True)
    Path("/etc/nginx/sites-enabled/default").unlink(missing_ok=True)
    program = away / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT}/tests/fake_systemctl.py "$@"\n')
    program.chmod(0o755)


def units(name: str) -> int:
    """The process of a unit."""
    return int(Path("/run/fake-systemd", name).read_text())


# --- games


def ask(path: str, body: object = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"http://{HERE}{path}", data, headers), timeout=PATIENCE) as answer:
        return json.load(answer)


def wait_for(what: str, found: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not found():
        demand(time.monotonic() < until, f"{what}: not within {PATIENCE:g} s")
        time.sleep(0.1)


class Person:
    """Somebody who plays against a bot, whatever happens to the server."""

    def __init__(self, address: str = f"ws://{HERE}", tls: ssl.SSLContext | None = None) -> None:
        self._address, self._tls = address, tls
        made = ask("/api/tables", {"seats": [{"kind": "human"}, {"kind": "bot", "bot": "random"}]})
        self.table, self.token = made["table"], made["seats"][0]["token"]
        self._say(type="ready", entropy="00112233445566778899aabbccddeeff")

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = ask(f"/api/tables/{self.table}/state", token=self.token)
        return found

    def play(self, actions: int) -> int:
        """Acts so often when asked; the number of the last line that was acknowledged."""
        seq = 0
        for _ in range(actions):
            wait_for("a question", lambda: bool(self.state()["game"] and self.state()["game"]["question"]))
            state = self.state()
            action = state["game"]["question"]["actions"][0]["text"]
            seq = self._say(type="play", seq=state["seq"], action=action)["seq"]
        return seq

    def texts(self) -> list[str]:
        """The actions of the game so far."""
        return [entry["action"] for entry in self.state()["game"]["log"]]

    def _say(self, **message: Any) -> dict[str, Any]:
        """Sends a message over a new socket; the answer, which must be a good one."""
        version = 1
        while True:
            path = f"{self._address}/api/tables/{self.table}/socket"
            with connect(path, ssl=self._tls, compression=None) as socket:
                socket.send(json.dumps({"type": "hello", "version": version, "token": self.token}))
                first = json.loads(socket.recv(timeout=PATIENCE))
                if first["type"] == "refused" and first["code"] == "version" and version < 9:
                    version += 1  # an older or newer server
                    continue
                socket.send(json.dumps({**message, "id": "asked"}))
                while True:
                    answer: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
                    if answer.get("re") == "asked":
                        demand(answer["type"] == "done", f"{message}: {answer}")
                        return answer


def check_goes_on(person: Person, known: list[str], what: str) -> None:
    """Is a game where it was, and can it be played on?"""
    wait_for("the server", lambda: bool(ask("/healthz")["ok"]))
    demand(person.texts()[: len(known)] == known, f"{what}: the game is another one")
    person.play(3)
    say(f"{what}: the game goes on after {len(known)} actions")


def form() -> str:
    """The form of the database, as SQLite has it."""
    import sqlite3

    with sqlite3.connect(DATA / "tables.sqlite3") as database:
        return str(database.execute("select version_num from alembic_version").fetchone()[0])


# --- the two ways to run it


def try_sqlite(page: Page) -> None:
    page.run("Install", "old")
    older = form()
    person = Person()
    person.play(3)
    known = person.texts()
    page.run("Update")
    demand(form() == newest_form() != older, f"the form is {form()}, it was {older}")
    check_goes_on(person, known, "after the update")
    page.run("Roll back", "old")
    demand(form() == older, "the database of the older version is not back")
    demand(len(person.texts()) < len(known) + 3, "after the way back the game is as it was before the update")
    check_goes_on(person, known, "after the way back")
    (DATA / "before.sqlite3").unlink()
    page.run("Update")
    known = person.texts()
    page.run("Backup")
    person.play(2)
    page.run("Restore")
    demand(len(person.texts()) < len(known) + 2, "the copy is older than the game")
    check_goes_on(person, known, "restored")
    page.run("Rotate")
    log = Path("/var/log/bastide")
    demand((log / "server.log.1.gz").exists(), f"nothing was rotated: {sorted(log.iterdir())}")
    check_goes_on(person, known, "after the log was rotated")
    check_watchdog()


def check_watchdog() -> None:
    """Does the server tell systemd that it lives? It must do so again and again."""
    import socket

    path = Path("/run/fake-systemd/bastide.socket")
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as signs:
        signs.bind(str(path))
        signs.settimeout(10)
        demand({signs.recv(100) for _ in range(3)} == {b"WATCHDOG=1"}, "the watchdog hears something else")
    say("the server gives signs of life")


@contextmanager
def services() -> Iterator[None]:
    """PostgreSQL and Redis at their usual ports."""
    postgres, redis = Postgres(), RedisServer()
    postgres.port, redis.port = 5432, 6379
    with postgres, redis:
        postgres.database("bastide")
        yield


def try_many(page: Page) -> None:
    with services():
        page.run("Many")
        wait_for("two processes", lambda: len(children(units("bastide"))) == 2)
        wait_for("the server", lambda: bool(ask("/healthz")["ok"]))
        person = Person()
        person.play(3)  # a worker has thought for the bot between
        page.run("Nginx")
        check_nginx()
        page.run("Backup of PostgreSQL")
        known = person.texts()
        person.play(2)
        page.run("Restore of PostgreSQL")
        demand(len(person.texts()) < len(known) + 2, "the copy is older than the game")
        check_goes_on(person, known, "restored with PostgreSQL")
        for unit in ("bastide", "bastide-work"):
            os.kill(units(unit), signal.SIGTERM)
        (ROOT / "bastide.dump").unlink()


def check_nginx() -> None:
    """Through the web server: https, its headers, a socket, and nothing that is for the machine alone."""
    trusted = ssl.create_default_context(cafile="/etc/ssl/bastide.example.crt")
    opener = build_opener(HTTPSHandler(context=trusted))
    body = json.dumps({"seats": [{"kind": "human"}, {"kind": "open"}]}).encode()
    headers = {"Content-Type": "application/json", "Origin": "https://bastide.example"}
    made = opener.open(Request("https://bastide.example/api/tables", body, headers), timeout=PATIENCE)
    cookie = made.headers["set-cookie"]
    demand(cookie.startswith("__Host-bastide=") and "Secure" in cookie, f"the cookie is {cookie}")
    demand("max-age" in made.headers["strict-transport-security"], "browsers are not told to stay with https")
    page = opener.open("https://bastide.example/", timeout=PATIENCE).read()
    demand(b"<script" in page, "there is no page")
    plain = opener.open("http://bastide.example/", timeout=PATIENCE)
    demand(plain.url.startswith("https://"), "http is not sent to https")
    try:
        opener.open("https://bastide.example/metrics", timeout=PATIENCE)
        raise Failed("everybody sees the figures")
    except HTTPError as refused:
        demand(refused.code == 403, f"/metrics answers {refused.code}")
    Person("wss://bastide.example", trusted).play(2)
    say("nginx: https, cookies, sockets and figures as they should be")


def main() -> None:
    away = Path(sys.argv[1])
    os.environ["TMPDIR"] = str(away)
    prepare(away)
    page = Page(away)
    try_sqlite(page)
    try_many(page)
    page.finish()
    say("all well: every command of docs/running-a-server.md does what the page says")


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        for file in (
            Path("/var/log/journal-of-tests"),
            Path("/var/log/bastide/server.log"),
            Path("/var/log/nginx/error.log"),
        ):
            if file.exists():
                print(f"--- {file}\n{file.read_text()[-3000:]}", file=sys.stderr)
        sys.exit(f"failed: {failure}")
