"""House rules and games alone, played by bots, in the terminal, in environments and over the server's catalogue."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.json import encode

from bastide.bots import bot, par
from bastide.bots.par import BOT
from bastide.cli.group import group
from bastide.env.episode import EpisodeRunner, margins
from bastide.errors import OptionError
from bastide.game import Game
from bastide.native import compiled
from bastide.rules import Rules
from bastide.server.tables.show import state_of
from tests.mixtures import mixture
from tests.server.sample import a_table, played

MIXTURES = range(500, 512 if compiled() else 502)
DECISIONS = 40


@pytest.mark.parametrize("seed", MIXTURES)
@pytest.mark.parametrize("name", ["random", "greedy", "planner"])
def test_bots_play_every_mixture(seed: int, name: str) -> None:
    game = Game(mixture(seed).rules(), seed=seed)
    players = [bot(name, seat) for seat in range(len(game.names))]
    for _ in range(DECISIONS):
        if not game.over:
            game.play(players[game.seat].choose(game.view(game.seat)))
    assert game.history


@pytest.mark.parametrize("seed", MIXTURES)
def test_environments_play_every_mixture(seed: int) -> None:
    runner = EpisodeRunner(mixture(seed).rules())
    runner.begin(seed)
    for _ in range(DECISIONS):
        if not runner.game.over:
            runner.play(int(runner.legal()[0]))
            assert (
                len(runner.observe(runner.game.seat if not runner.game.over else 0))
                == runner.observations.space.shape[0]
            )
    assert len(runner.margins()) == len(runner.game.names)


@pytest.mark.parametrize("seed", MIXTURES[:4])
def test_people_play_every_mixture_in_the_terminal(seed: int) -> None:
    setting = mixture(seed)
    asked = ["play", "--seed", str(seed), "--seats", ",".join(["human"] * setting.players)]
    boxes = ["--edition", setting.edition, "--modules", ",".join(setting.modules)]
    settings = [word for name, value in setting.options for word in ("--option", f"{name}={value}")]
    typed = "1\n" * DECISIONS + "quit\n"
    run = CliRunner().invoke(group, [*asked, *boxes, *settings], input=typed)
    assert run.exit_code == 0, run.output
    assert run.output.count("> 1\n") == DECISIONS
    assert run.output.endswith("> quit\nThe game ends here.\n")


def test_the_terminal_says_which_game_is_played() -> None:
    boxes = ["--edition", "classic", "--modules", "inns_and_cathedrals", "--option", "inns=off"]
    run = CliRunner().invoke(group, ["play", "--seed", "1", *boxes], input="quit\n")
    told = "Base game, Inns & Cathedrals (the classic edition). Inns count for nothing: their roads are ordinary roads."
    assert run.output.splitlines()[:2] == [told, "Seed 1. Type ? for help."]


@pytest.mark.parametrize("seed", MIXTURES[:4])
def test_a_server_tells_the_page_every_mixture(seed: int) -> None:
    setting = mixture(seed)
    wanted: dict[str, Any] = {"edition": setting.edition, "options": dict(setting.options)}
    tables = played(a_table(setting.players, modules=list(setting.modules), **wanted), seed)
    told = [state_of(table, [0], 0) for table in islice(tables, DECISIONS)]
    assert len({encode(state) for state in told}) == DECISIONS


@pytest.mark.rule("HOUSE-2")
def test_alone_the_margin_is_the_score() -> None:
    assert margins((42,)) == [42.0]


@pytest.mark.rule("HOUSE-2")
def test_par_is_what_search_made_of_the_same_tiles() -> None:
    few = "+".join(f"{name}=0" for name in "BCEFGHIJKLMNOPQRSTVWX")
    rules = Rules.of(players=1, tile_counts=few)  # a small deck
    game = Game(rules, seed=3)
    player = bot(BOT, 0)
    while not game.over:
        game.play(player.choose(game.view(0)))
    assert par(rules, 3) == par(rules, 3) == game.scores[0] > 0
    run = CliRunner().invoke(group, ["par", "--seed", "3", "--json", "--option", f"tile_counts={few}"])
    assert json.loads(run.output) == {"seed": 3, "par": game.scores[0], "bot": BOT}
    with pytest.raises(OptionError, match="par: expected the rules of a game of 1 player, got 2"):
        par(Rules.of(), 3)


@pytest.mark.rule("HOUSE-2")
def test_the_terminal_tells_par_to_who_plays_alone() -> None:
    few = "+".join(f"{name}=0" for name in "BCEFGHIJKLMNOPQRSTUWX")
    asked = ["play", "--seats", "human", "--seed", "3", "--option", f"tile_counts={few}", "--option", "inns=off"]
    run = CliRunner().invoke(group, [*asked, "--modules", "inns_and_cathedrals"], input="1\n" * 200)
    assert "Winner: red" in run.output
    assert "Par with these tiles: " in run.output
