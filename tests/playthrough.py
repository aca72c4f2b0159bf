"""Playthroughs: everything observable of one random game for each choice of rules, as text in version control.

A change in them shows what a change of the code did. `python -m tests.playthrough` writes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from bastide.game import Ended, Game, Rng
from bastide.rules import Rules
from bastide.rules.registry import presets, specs

FOLDER = Path(__file__).parent / "playthroughs"
WHOLE = 30  # steps of which all legal actions are written out; of the others a checksum


def choices() -> dict[str, Rules]:
    """Every module alone, every edition of the base game, every preset."""
    found = {f"edition_{name}": Rules.of(name, players=3) for name in specs()["base"].editions}
    found["hand_of_three"] = Rules.of("classic", hand=3)
    for spec in specs().values():
        if spec.name != "base":
            found[spec.name] = Rules.of(modules=[spec.name], players=3)
    return found | {f"preset_{name}": Rules.of(preset=name) for name in presets()}


def lines(rules: Rules, seed: int = 1) -> Iterator[str]:
    """One random game, step by step."""
    rng = Rng(seed)
    game = Game(rules, seed=seed)
    yield f"modules {' '.join(rules.module_names)}, edition {rules.edition}, {rules.players} players, seed {seed}"
    yield f"options {' '.join(f'{name}={value}' for name, value in rules.options.items())}"
    yield f"tiles {len(rules.tiles)} types, {game.tiles_left} to draw"
    yield from (f"  {event}" for event in game.first_events)
    step = 0
    while not game.over:
        legal = [str(action) for action in game.legal]
        shown = "; ".join(legal) if step < WHOLE else f"checksum {crc32(';'.join(legal).encode()):08x}"
        yield f"{step} {game.names[game.seat]}, {len(legal)} legal: {shown}"
        action = legal[rng.below(len(legal))]
        yield f"> {action}"
        yield from (f"  {event}" for event in game.play(action) if not isinstance(event, Ended))
        supply = "; ".join(" ".join(f"{k} {v}" for k, v in game.supply(seat).items()) for seat in range(rules.players))
        yield f"  scores {' '.join(map(str, game.scores))}, supply {supply}, left {game.tiles_left}"
        step += 1
    yield f"end: {game.outcome}"


def main() -> None:
    """Writes all playthroughs; files of choices that are no more disappear."""
    FOLDER.mkdir(exist_ok=True)
    found = choices()
    for old in FOLDER.glob("*.txt"):
        if old.stem not in found:
            old.unlink()
    for name, rules in found.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(lines(rules)) + "\n", "utf-8")
        print(f"written: {name}")


if __name__ == "__main__":
    main()
