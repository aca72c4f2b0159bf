"""`bastide bench`: the engine beside the C limit, in one run on one core."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bastide.errors import BastideError
from bastide.game import benchmark
from bastide.homes import homes
from bastide.native import compiled
from bastide.rules import Rules
from bastide.rules.registry import presets, specs

ROUNDS = 7
LIMIT = Path("bench") / "limit.c"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@click.option("--games", default=2000, show_default=True, help="Random games in each round.")
@click.option("--limit", type=click.Path(path_type=Path), help="The C program; bench/limit.c of the sources by itself.")
def command(as_json: bool, games: int, limit: Path | None) -> None:
    """Measure random games, copies and undone turns, and compare with a C program that plays the base game only.

    CPU time on one core, the best of several rounds; engine and limit alternate, so that both meet the same noise.
    """
    if not compiled():
        raise BastideError("the engine is not compiled; figures would mean nothing (install with a C compiler)")
    pin()
    figures = measure(limit or find_limit(), games, (lambda _: None) if as_json else progress)
    click.echo(json.dumps(figures, indent=1) if as_json else "\n".join(report(figures)))


def pin() -> None:
    """One core, as far as the system lets us."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def progress(text: str) -> None:
    """Says what is being measured."""
    click.echo(f"... {text}", err=True)


def find_limit() -> Path:
    """The C program in the folder of the sources, from wherever the command is run."""
    for folder in (Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents):
        if (folder / LIMIT).is_file():
            return folder / LIMIT
    raise BastideError(f"no {LIMIT} found here; run it in the folder of the sources or name it with --limit")


def measure(limit: Path, games: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """All figures, ready for JSON."""
    with tempfile.TemporaryDirectory() as folder:
        program = build(limit, Path(folder))
        tell("the base game beside the C limit")
        base = Rules.of()
        runs = [(run_limit(program), per_second(base, games, 1)) for _ in range(3)]
    c = {name: pick(run[0][name] for run in runs) for name, pick in LIMIT_FIGURES.items()}
    ours = max(run[1] for run in runs)
    tell("copies and undone turns")
    game = benchmark.midgame(base, 4242, 108)
    figures: dict[str, Any] = {
        "plugins": [f"{home.name} {home.version}" for home in homes().values() if home.plugin],
        "limit": c,
        "base": setting(base, games, ours, c),
        "ratio": round(ours / c["games_per_second"], 3),
        "clone_us": round(1e6 * best(lambda: (benchmark.clones(game, 2000), 2000)[1]), 2),
        "make_undo_us": round(1e6 * best(lambda: benchmark.turns(game, 8)), 3),
    }
    for players in (3, 4, 5):
        tell(f"{players} players")
        figures[f"players_{players}"] = setting(Rules.of(players=players), games, None, c)
    tell("three boxes of tiles")
    figures["three_boxes"] = setting(Rules.of(copies=3), games // 3, None, c)
    growth = figures["three_boxes"]["us_a_tile"] / figures["base"]["us_a_tile"]
    figures["growth_to_three_boxes"] = round(growth, 2)
    for name, rules in others().items():
        tell(name)
        figures[name] = setting(rules, max(games // 4, 1), None, c)
    return figures


def others() -> dict[str, Rules]:
    """Every preset and every game of its own."""
    found = {f"preset {name}": Rules.of(preset=name) for name, preset in presets().items() if preset.get("modules")}
    return found | {spec.name: Rules.of(modules=[spec.name]) for spec in specs().values() if spec.standalone}


LIMIT_FIGURES: dict[str, Callable[..., float]] = {"games_per_second": max, "clone_us": min, "make_undo_us": min}


def build(limit: Path, folder: Path) -> Path:
    """Compiles the C program."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise BastideError("no C compiler found; the limit is a C program")
    program = folder / "limit"
    done = subprocess.run(
        [compiler, "-O3", "-o", str(program), str(limit)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BastideError(f"{compiler} could not compile {limit}: {done.stderr.strip().splitlines()[-1]}")
    return program


def run_limit(program: Path) -> dict[str, float]:
    """What the C program prints: games a second, microseconds for a copy and for a turn made and undone."""
    lines = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.splitlines()
    numbers = {line.rsplit(" ", 1)[0] if "(" not in line else line.split(" us ")[0]: line for line in lines}
    return {
        "games_per_second": float(numbers["games/s"].split()[-1]),
        "clone_us": float(numbers["clone"].split()[2]),
        "make_undo_us": float(numbers["make+undo"].split()[2]),
    }


def best(action: Callable[[], int]) -> float:
    """Seconds of CPU for one unit of what the action did, the best of several rounds."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        done = action()
        least = min(least, (time.process_time() - start) / done)
    return least


def per_second(rules: Rules, games: int, seed: int) -> float:
    """Random games in a second."""
    return 1 / best(lambda: (benchmark.random_games(rules, seed, games), games)[1])


def setting(rules: Rules, games: int, rate: float | None, limit: dict[str, float]) -> dict[str, float]:
    """The figures of one choice of rules."""
    rate = per_second(rules, games, 1) if rate is None else rate
    tiles = sum(tile.count - tile.start for tile in rules.tiles)
    return {
        "games_per_second": round(rate),
        "of_limit": round(rate / limit["games_per_second"], 3),
        "tiles": tiles,
        "tiles_per_second": round(rate * tiles),
        "us_a_tile": round(1e6 / rate / tiles, 3),
    }


def report(figures: dict[str, Any]) -> list[str]:
    """The same for people."""
    limit = figures["limit"]
    lines = [
        f"{'':24}{'games/s':>10}{'of limit':>10}{'tiles':>7}{'us a tile':>11}",
        f"{'C limit, base game':24}{limit['games_per_second']:>10,.0f}{1:>10.3f}",
    ]
    for name, row in figures.items():
        if isinstance(row, dict) and "of_limit" in row:
            lines.append(
                f"{name:24}{row['games_per_second']:>10,}{row['of_limit']:>10.3f}{row['tiles']:>7}{row['us_a_tile']:>11.3f}"
            )
    lines += [
        f"plug-ins in use: {', '.join(figures['plugins']) or 'none'}",
        f"copy of a position   {figures['clone_us']:.2f} us (C {limit['clone_us']:.2f})",
        f"turn made and undone {figures['make_undo_us']:.3f} us (C {limit['make_undo_us']:.3f})",
        f"a tile with three boxes costs {figures['growth_to_three_boxes']:.2f} times as much as with one",
    ]
    return lines
