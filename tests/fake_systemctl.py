"""Stands in for systemctl where no systemd runs: starts and stops what the units say, for `scripts/operate`.

It reads `Environment`, `EnvironmentFile`, `ExecStart`, `Type=notify`, the directories and `StandardError=append:` of
units and their drop-ins. nginx is started and reloaded by its own command.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

UNITS = Path("/etc/systemd/system")
STATE = Path("/run/fake-systemd")  # one file for each unit that runs, with its process
START = 120.0  # seconds until a unit of the type `notify` must be ready
DIRECTORIES = {"StateDirectory": "/var/lib", "CacheDirectory": "/var/cache", "LogsDirectory": "/var/log"}


def settings(name: str) -> dict[str, list[str]]:
    """What a unit and its drop-ins say in [Service]."""
    found: dict[str, list[str]] = {}
    for file in [UNITS / f"{name}.service", *sorted((UNITS / f"{name}.service.d").glob("*.conf"))]:
        for line in file.read_text().splitlines():
            if re.match(r"[A-Z]\w+=", line):
                key, _, value = line.partition("=")
                found.setdefault(key, []).append(value)
    return found


def environment(said: dict[str, list[str]]) -> dict[str, str]:
    """The variables of a unit; nothing of whoever calls gets through but the way to programs."""
    found = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
    pairs = [pair for value in said.get("Environment", []) for pair in shlex.split(value)]
    for value in said.get("EnvironmentFile", []):
        file = Path(value.removeprefix("-"))
        if file.exists() or not value.startswith("-"):
            pairs += [line for line in file.read_text().splitlines() if "=" in line]
    return {**found, **dict(pair.split("=", 1) for pair in pairs)}


def start(name: str) -> None:
    """Starts a unit, and waits until it says that it is ready, if it is of that type."""
    said = settings(name)
    variables = environment(said)
    for key, home in DIRECTORIES.items():
        for folder in said.get(key, []):
            Path(home, folder).mkdir(parents=True, exist_ok=True)
    (command,) = said["ExecStart"]
    words = [re.sub(r"\$\{(\w+)\}", lambda found: variables[found[1]], word) for word in shlex.split(command)]
    notify = STATE / f"{name}.socket"
    notify.unlink(missing_ok=True)
    error = said.get("StandardError", ["append:/var/log/journal-of-tests"])[-1].removeprefix("append:")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as signs, open(error, "ab") as log:
        signs.bind(str(notify))
        signs.settimeout(START)
        if said.get("Type") == ["notify"]:
            variables["NOTIFY_SOCKET"] = str(notify)
        process = subprocess.Popen(words, env=variables, stdout=log, stderr=log, start_new_session=True)
        (STATE / name).write_text(str(process.pid))
        while "NOTIFY_SOCKET" in variables and signs.recv(100) != b"READY=1":
            pass


def lives(process: int) -> bool:
    """Does a process still run? One that nobody has asked about its end does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def stop(name: str) -> None:
    """Stops a unit, if it runs."""
    file = STATE / name
    if file.exists():
        process = int(file.read_text())
        os.kill(process, signal.SIGTERM)
        while lives(process):
            time.sleep(0.05)
        file.unlink()


def main() -> None:
    """What `systemctl` is asked for on the page."""
    STATE.mkdir(exist_ok=True)
    command, *names = [word for word in sys.argv[1:] if word != "--now"]
    for name in names:
        if name == "nginx":
            running = Path("/run/nginx.pid").exists()
            subprocess.run(["nginx", "-s", "reload"] if running else ["nginx"], check=True)
            continue
        if command in ("stop", "restart"):
            stop(name)
        if command in ("start", "restart", "enable"):
            start(name)


if __name__ == "__main__":
    main()
