"""Positions through text and back: `scripts/round-trips --trips 300` for every choice of rules there is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from bastide.game import Event, Game, Rng
from bastide.rules import Rules
from bastide.rules.registry import specs
from tests.playthrough import choices

MOST = 200  # tiles on a board; a scripted game never ends by itself
STEPS = 25  # actions played on from both sides of a round trip


def every_choice() -> dict[str, Rules]:
    """Every module, edition, preset, and every option with every value; larger tables, and scripted games."""
    found = choices()
    for spec in specs().values():
        modules = () if spec.name == "base" else (spec.name,)
        for option in spec.options:
            for value in option.values[1:]:
                found[f"{option.name}_{value}"] = Rules.of(
                    "", modules=modules, players=3, preset="", scripted=False, **{option.name: value}
                )
    found["random_and_loses"] = Rules.of(first_player="random", first_player_tied="loses")
    found["hand_and_river"] = Rules.of(modules=["river"], hand=3)
    found["hand_last_drawn"] = Rules.of(hand=3, tactical_end="last_drawn")
    found["everything_for_five"] = Rules.of(preset="everything", players=5)
    found["eight_players"] = Rules.of("classic", players=8, more_players="on")
    found["scripted"] = Rules.of(modules=["abbot", "river"], scripted=True)
    return found


def round_trips(rules: Rules, number: int, seed: int = 1) -> Iterator[Game]:
    """Positions of random games, each as it was before and after; whatever differs is an AssertionError."""
    done = 0
    while done < number:
        rng = Rng(seed)
        game = Game(rules, seed=None if rules.scripted else seed, scripted=rules.scripted)
        seed += 1
        often = 2 + rng.below(12)
        while not game.over and done < number and len(game.board) < MOST:
            game.play(game.legal[rng.below(len(game.legal))])
            if rng.below(often) == 0 or game.over:
                done += 1
                yield round_trip(game, seed)


def round_trip(game: Game, seed: int) -> Game:
    """One position to text and back: equal, the same legal actions in the same order, and play goes on alike."""
    text = game.position()
    again = Game.from_position(text)
    assert again.position() == text
    assert again.state() == game.state()
    assert list(again.legal) == list(game.legal)
    assert played_on(again, seed) == played_on(game, seed)
    return again


def played_on(game: Game, seed: int) -> list[object]:
    """What happens when random actions follow, drawn by hand, so that both sides draw alike."""
    game = game.copy()
    game._dealer = None
    rng = Rng(seed)
    told: list[object] = []
    for _ in range(STEPS):
        if game.over:
            return [*told, game.outcome]
        events: list[Event] = game.play(game.legal[rng.below(len(game.legal))])
        told += [str(events), game.scores]
    return told


def main() -> None:
    """All of them, and how many."""
    parser = argparse.ArgumentParser(prog="scripts/round-trips", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="choices of rules; all if none")
    parser.add_argument("--trips", type=int, default=30, help="for each choice of rules (default 30)")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    failed = 0
    for name, rules in every_choice().items():
        if wanted.names and name not in wanted.names:
            continue
        try:
            count = sum(1 for _ in round_trips(rules, wanted.trips, wanted.seed))
            print(f"agree: {name}: {count} positions", flush=True)
        except AssertionError as difference:
            failed += 1
            print(f"DIFFER: {name}: {difference}", flush=True)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
