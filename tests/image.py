"""Runs the steps of deploy/Dockerfile without a container engine, and tries what they make: `scripts/image` calls this.

Each stage is a folder with a small Debian (debootstrap), each RUN a chroot into it. Then the result is looked at, and
its command is run as the image says: as its user, with its variables and its volume, everything else read-only.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import yaml

from tests.operate import HERE, Failed, Person, ask, demand, wait_for
from tests.snippets import ROOT

AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"  # of this machine: a network may have its own
BORROWED = (AUTHORITIES, "/etc/resolv.conf", "/etc/hosts")  # bound over the stage's while a step runs
NETWORK = {
    "PIP_CERT": AUTHORITIES,
    "npm_config_cafile": AUTHORITIES,
    **{name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")},
}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SECRET = "a-password-that-nobody-may-see"
DECOYS = (".env", "deploy/.env", "src/.env", ".git/config", "web/.env")  # each with the secret in it
BUILD_TOOLS = ("cc", "gcc", "g++", "c++", "clang", "tcc", "as", "ld", "make", "node", "npm", "git", "mypyc")


def say(text: str) -> None:
    print(f"image: {text}", flush=True)


# --- the Dockerfile


@dataclass
class Stage:
    """One stage: where its files are, and what its instructions have set so far."""

    home: str
    env: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    folder: str = "/"
    user: str = "root"
    volumes: list[str] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def at(self, path: str) -> Path:
        """A path of the stage as this machine knows it."""
        return Path(self.home, os.path.normpath(os.path.join(self.folder, path)).lstrip("/"))


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a Dockerfile, each with its arguments."""
    whole = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.M))
    for line in filter(None, map(str.strip, whole.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


class Builder:
    """Runs all stages of a Dockerfile in a folder."""

    def __init__(self, away: Path, bases: Path) -> None:
        self._away, self._bases = away, bases
        self._stages: dict[str, Stage] = {}
        self._stage: Stage | None = None

    def build(self, text: str) -> Stage:
        """The last stage, ready."""
        known: dict[str, Callable[[str], object]] = {
            "FROM": self._from,
            "RUN": self._run,
            "COPY": self._copy,
            "WORKDIR": self._workdir,
            "USER": lambda rest: setattr(self._now, "user", rest),
            "ENV": lambda rest: self._now.env.update(re.findall(r"(\w+)=(\S+)", rest)),
            "VOLUME": lambda rest: self._now.volumes.extend(rest.split()),
            "EXPOSE": lambda rest: self._now.ports.append(int(rest)),
            "HEALTHCHECK": lambda rest: setattr(self._now, "health", json.loads(rest.partition("CMD ")[2])),
            "CMD": lambda rest: setattr(self._now, "command", json.loads(rest)),
        }
        for word, rest in instructions(text):
            say(f"{word} {rest}")
            demand(word in known, f"expected one of {', '.join(known)}, found {word}")
            known[word](rest)
        return self._now

    @property
    def _now(self) -> Stage:
        demand(self._stage is not None, "expected FROM first")
        assert self._stage is not None
        return self._stage

    def _from(self, rest: str) -> None:
        base, _, name = rest.partition(" AS ")
        home = self._away / "stages" / (name or "result")
        home.parent.mkdir(exist_ok=True)
        subprocess.run(["cp", "-a", self._bases / base.replace(":", "-"), home], check=True)
        self._stage = self._stages[name] = Stage(str(home))

    def _run(self, rest: str) -> None:
        mounts = [f"mount --bind {path} {self._now.home}{path}" for path in BORROWED]
        run_inside(self._now, ["/bin/sh", "-ec", rest], mounts, NETWORK, check=True)

    def _copy(self, rest: str) -> None:
        words = rest.split()
        source = self._away / "context"
        if words[0].startswith("--from="):
            source = Path(self._stages[words.pop(0).removeprefix("--from=")].home)
        *wanted, last = words
        target = self._now.at(last)
        for found in (source / path.strip("/") for path in wanted):
            if found.is_dir():
                shutil.copytree(found, target, symlinks=True, dirs_exist_ok=True)
            else:
                file = target / found.name if last.endswith(("/", ".")) else target
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(found, file)

    def _workdir(self, rest: str) -> None:
        self._now.folder = rest
        self._now.at(rest).mkdir(parents=True, exist_ok=True)


def run_inside(
    stage: Stage, command: Sequence[str], mounts: Sequence[str], more: Mapping[str, str] = {}, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Runs a command in a stage, with mounts that end with it."""
    return subprocess.run(inside(stage, command, mounts, more), stdin=subprocess.DEVNULL, text=True, **options)


def inside(stage: Stage, command: Sequence[str], mounts: Sequence[str], more: Mapping[str, str] = {}) -> list[str]:
    """The command line that does it."""
    variables = [f"{name}={value}" for name, value in {"HOME": "/root", **stage.env, **more}.items()]
    start = ["env", "-C", stage.folder, "-i", *variables, *command]
    chroot = ["chroot", f"--userspec={stage.user}:", stage.home, *start]
    own = [f"mount -t proc proc {stage.home}/proc", f"mount --bind /dev {stage.home}/dev"]
    script = " && ".join([*own, *mounts, f"exec {shlex.join(chroot)}"])
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script]


# --- what goes into it


def ignored(path: str, patterns: Sequence[str]) -> bool:
    """Does .dockerignore leave this path out? The last pattern that fits it, or a folder above it, decides."""
    above = ["/".join(path.split("/")[:n]) for n in range(1, path.count("/") + 2)]
    out = False
    for pattern in patterns:
        bare = pattern.lstrip("!").strip("/")
        forms = [bare, bare.removeprefix("**/")]
        if any(fnmatch(name, form) and (form != "*" or "/" not in name) for name in above for form in forms):
            out = not pattern.startswith("!")
    return out


def fill_context(context: Path) -> None:
    """What a container engine would send of this clone, in which somebody has left secrets."""
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    wanted = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    for top in sorted({path.split("/")[0] for path in wanted}):
        alone: list[tuple[str, list[str], list[str]]] = [(str(ROOT), [], [top])]
        for folder, below, files in os.walk(ROOT / top) if (ROOT / top).is_dir() else alone:
            place = Path(folder).relative_to(ROOT)
            below[:] = [name for name in below if name != "node_modules"]
            for name in files:
                path = (place / name).as_posix()
                if not ignored(path, patterns):
                    (context / place).mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / path, context / path)
    for path in DECOYS:
        if not ignored(path, patterns):
            (context / path).parent.mkdir(parents=True, exist_ok=True)
            (context / path).write_text(SECRET)


# --- what came out of it


def check_files(stage: Stage) -> None:
    """Neither tools of the build nor secrets; exactly the locked versions; the engine compiled, the page built."""
    for place in ("/bin", "/usr/bin", "/usr/local/bin", "/opt/bastide/bin"):
        names = {file.name for file in stage.at(place).iterdir()}
        left = [
            f"{place}/{name}"
            for name in BUILD_TOOLS
            if any(re.fullmatch(rf"{re.escape(name)}(-[\d.]+)?", n) for n in names)
        ]
        demand(not left, f"expected no tools of the build, found {', '.join(left)}")
    found = subprocess.run(["grep", "-rlF", SECRET, stage.home], capture_output=True, text=True)
    demand(found.stdout == "", f"expected no secret, found one in {found.stdout}")
    package = next(stage.at("/opt/bastide/lib").glob("python3*/site-packages")) / "bastide"
    for part in ("server/static/index.html", "server/browser/engine/python.wasm.packed"):
        demand((package / part).is_file(), f"expected {part} in the package, found nothing")
    listed = run_inside(stage, ["pip", "freeze", "--all"], [], {"HOME": "/tmp"}, check=True, capture_output=True)
    versions = dict(line.split("==") for line in listed.stdout.lower().replace("_", "-").splitlines() if "==" in line)
    locked = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements/server.txt").read_text().lower(), re.M))
    others = {name: version for name, version in versions.items() if name != "pip" and locked.get(name) != version}
    demand(not others, f"expected the versions of requirements/server.txt, found {others}")
    demand(len(versions) > 20, f"expected what a server needs, found {versions}")
    demand(not {"mypy", "setuptools"} & {*versions}, "expected no compiler's packages")
    say(f"no tools of the build, no secrets, {len(versions) - 1} packages in the locked versions")


class Container:
    """The image's command, run as a container engine would: one volume can be written, and nothing else."""

    def __init__(self, stage: Stage, away: Path) -> None:
        self._stage = stage
        self.volume = away / "volume"
        (place,) = stage.volumes
        subprocess.run(["cp", "-a", stage.at(place), self.volume], check=True)  # as it is in the image, owner and all
        home = stage.home
        self._mounts = [
            f"mount --bind {home} {home}",
            f"mount -o remount,bind,ro {home}",
            f"mount -t proc proc {home}/proc",
            f"mount -t tmpfs tmpfs {home}/tmp",
            f"mount -t tmpfs tmpfs {home}/dev/shm",  # as a container has it
            f"mount --bind {self.volume} {home}{place}",
        ]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Another command in it."""
        return run_inside(self._stage, command, self._mounts, capture_output=True)

    def healthy(self) -> bool:
        """What its health check says."""
        return self.run(*self._stage.health).returncode == 0

    @contextmanager
    def started(self, **variables: str) -> Iterator[None]:
        """Serves until the end of the block, then is asked to stop."""
        with subprocess.Popen(inside(self._stage, self._stage.command, self._mounts, variables)) as process:
            try:
                wait_for("the health check", self.healthy)
                demand(process.poll() is None, "the server ended")
                yield
            finally:
                server = child_of(process.pid)  # the first in its own world; what is below it are its bots
                if server:
                    os.kill(server, signal.SIGTERM)
                demand(process.wait() in (0, 143), f"the server ended with {process.returncode}")
        demand(not self.healthy(), "the health check is content although nothing serves")


def child_of(process: int) -> int:
    """The first process that a process has started."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return int(found[0]) if found else 0


def check_running(stage: Stage, away: Path) -> None:
    """A game is played, kept and gone on with; clients behind a web server are told apart."""
    container = Container(stage, away)
    who = container.run("python", "-c", "import os; print(os.getuid(), os.path.expanduser('~'))").stdout.split()
    demand(who[:1] not in ([], ["0"]), f"expected a user without rights, found {who}")
    compiled = container.run("python", "-c", "import bastide.native as n; print(n.compiled())").stdout.strip()
    demand(compiled == "True", f"expected a compiled engine, found {compiled}")
    demand(stage.ports == [int(HERE.rpartition(":")[2])], f"expected the port of the guide, found {stage.ports}")
    demand(container.run("touch", "/opt/bastide/mine").returncode != 0, "the program can be written over")
    with container.started():
        person = Person()
        person.play(3)
        known = person.texts()
        with urlopen(f"http://{HERE}/") as page, urlopen(f"http://{HERE}/engine/bastide.packed") as engine:
            demand(b"<script" in page.read() and len(engine.read()) > 100_000, "expected the page and its engine")
        drawn = ask("/api/choice", {"players": 2})["drawings"]["data"]
        demand("tiles" in ask(drawn), "expected drawings")
    demand(any(file.is_file() for file in (container.volume / "cache").rglob("*")), "expected drawings in the volume")
    with container.started():
        demand(person.texts()[: len(known)] == known, "the game is another one after a restart")
        person.play(2)
    check_clients(container)
    say(f"user {who[0]}, health check, volume, restart: as they should be")


def check_clients(container: Container) -> None:
    """With the variables of compose.yaml: Secure cookies, and limits for each client that the web server names."""
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    told = {name: str(value) for name, value in compose["x-bastide"]["environment"].items()}
    kept = {name: told[name] for name in ("FORWARDED_ALLOW_IPS", "BASTIDE_LOG")}
    with container.started(**kept, BASTIDE_TABLES_PER_HOUR="1", BASTIDE_HOSTS="bastide.example"):
        first, again, other = (forwarded(address) for address in ("203.0.113.5", "203.0.113.5", "203.0.113.9"))
    demand("Secure" in first[1], f"expected a Secure cookie, found {first[1]}")
    demand([first[0], again[0], other[0]] == [201, 429, 201], f"expected limits by client, found {first, again, other}")


def forwarded(address: str) -> tuple[int, str]:
    """A table that somebody at this address asks a web server for: the answer's status and cookie."""
    body = json.dumps({"seats": [{"kind": "human"}, {"kind": "open"}]}).encode()
    headers = {
        "Content-Type": "application/json",
        "Host": "bastide.example",
        "Origin": "https://bastide.example",
        "X-Forwarded-For": address,
        "X-Forwarded-Proto": "https",
    }
    try:
        with urlopen(Request(f"http://{HERE}/api/tables", body, headers)) as answer:
            return answer.status, answer.headers["set-cookie"] or ""
    except HTTPError as refused:
        return refused.code, ""


def build(away: Path, bases: Path) -> None:
    """All stages; what the last one has set is kept for `check`."""
    fill_context(away / "context")
    stage = Builder(away, bases).build((ROOT / "deploy/Dockerfile").read_text())
    check_files(stage)
    (away / "image.json").write_text(json.dumps(asdict(stage)))


def check(away: Path) -> None:
    """The image as it runs; in a network of its own."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    check_running(Stage(**json.loads((away / "image.json").read_text())), away)


if __name__ == "__main__":
    what, *folders = sys.argv[1:]
    try:
        if what == "build":
            build(*map(Path, folders))
        else:
            check(*map(Path, folders))
    except Failed as failure:
        sys.exit(f"image: failed: {failure}")
