"""What a seat receives does not depend on what it may not know.

Every state is made twice: of the real table, and of one where everything that the seat does not know is different. Both
must be equal to the last byte.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from bastide.game import SPECTATOR, Action, Engine, Game, Rng, View
from bastide.game.events import Drawn
from bastide.rules import Rules
from bastide.rules.registry import specs
from bastide.server.api.outgoing import Token
from bastide.server.tables import records
from bastide.server.tables.records import step_of
from bastide.server.tables.show import state_of
from bastide.server.tables.table import PlayedAction, Table
from tests.server.sample import a_table, played

BOXES = [spec.name for spec in specs().values() if not spec.standalone and spec.name != "base"]
HANDS: list[dict[str, Any]] = [
    {"options": {"hand": 3}},
    *({"options": {"hand": 3}, "modules": [name]} for name in BOXES),
    {"options": {"hand": 3, "tactical_end": "last_drawn"}},
    {"options": {"hand": 3}, "modules": BOXES},
]
ALONE = [spec.name for spec in specs().values() if spec.standalone]
TOKENS = [name for name in ALONE if Rules.of(modules=[name]).layout.secrets]  # games with tokens that others do not see


def imagined(table: Table, seat: int, seed: int) -> Table:
    """The same table as far as the seat can tell; the rest is dealt anew."""
    game = table.playing
    other = Table(table.name, table.setup, "0" * 64, table.invite, table.chairs)
    other.__dict__.update(
        {**table.__dict__, "game": twin(game, seat, seed), "played": list(table.played), "position_cache": {}}
    )
    for n, ((who, _), secret) in enumerate(zip(game.history, game.secret_draws, strict=True)):
        if secret and who != seat:
            events = tuple(replace(e, name="X") if isinstance(e, Drawn) else e for e in table.played[n].events)
            other.played[n] = PlayedAction(table.played[n].seq, events)
    return other


def twin(game: Game, seat: int, seed: int) -> Game:
    copy = game.copy()
    copy.engine.s = game.view(seat).imagine(Rng(seed)).engine.s
    copy.history = [
        (who, Action("draw", tile="X") if secret and who != seat else action)
        for (who, action), secret in zip(game.history, game.secret_draws, strict=True)
    ]
    return copy


def sent(table: Table, seat: int) -> bytes:
    mine = [seat] if seat >= 0 else []
    return msgspec.json.encode(state_of(table, mine, 0))


def replayed(table: Table, seat: int) -> bytes:
    """The last step of a replay."""
    return msgspec.json.encode(step_of(table.playing, seat, len(table.played), table.played[-1].events))


@pytest.mark.parametrize("wanted", HANDS, ids=str)
def test_a_seat_learns_nothing_of_other_hands_and_the_bag(wanted: dict[str, Any]) -> None:
    different = 0
    for number, table in enumerate(played(a_table(players=3, **wanted), seed=7)):
        if number % 15 or table.outcome is not None:
            continue
        for seat in (SPECTATOR, 0, 1, 2):
            other = imagined(table, seat, seed=number + 1)
            different += hidden(other) != hidden(table)
            assert sent(other, seat) == sent(table, seat)
            assert replayed(other, seat) == replayed(table, seat)
    assert different, "nothing was hidden, so nothing was tested"


def test_a_replay_shows_no_hand_even_if_a_module_would(monkeypatch: pytest.MonkeyPatch) -> None:
    """What modules show of a step, they show of a position that could be the real one."""

    def shows_hands(view: View, engine: Engine) -> list[Token]:
        hands = [secret for secret in view.rules.layout.secrets for _ in range(engine.players)]
        return [Token(n, "hand", "", int(engine.s[hand.at + n * hand.size])) for n, hand in enumerate(hands)]

    monkeypatch.setattr(records, "tokens_of", shows_hands)
    table = a_table(players=3, options={"hand": 3})
    twins = [imagined(table, SPECTATOR, seed) for seed in range(1, 6)]
    assert any(hidden(other) != hidden(table) for other in twins)
    assert {replayed(other, SPECTATOR) for other in twins} == {replayed(table, SPECTATOR)}


@pytest.mark.parametrize("module", [*BOXES, *ALONE])
def test_what_everybody_may_know_is_the_same_for_everybody(module: str) -> None:
    """Where nothing is hidden from a seat, all are told the same, but for the question and what is one's own."""
    own = {"mine", "seat", "invite", "undo", "takeback"}, {"question", "secret", "log"}
    for number, table in enumerate(played(a_table(players=3, modules=[module], aids=False), seed=5)):
        if number % 25 == 0:
            views = [msgspec.json.decode(sent(table, seat)) for seat in (SPECTATOR, 0, 1, 2)]
            for view in views:
                for name in own[0]:
                    del view[name]
                for name in own[1]:
                    del view["game"][name]
            assert views[0] == views[1] == views[2] == views[3]


@pytest.mark.parametrize("module", TOKENS)
def test_a_seat_learns_nothing_of_tokens_that_others_hold(module: str) -> None:
    """What the tokens are worth at the end everybody could work out; so this is about a table without aids."""
    different = 0
    for number, table in enumerate(played(a_table(players=3, modules=[module], aids=False), seed=3)):
        if number % 15 or table.outcome is not None:
            continue
        for seat in (SPECTATOR, 0, 1, 2):
            before, real = (sent(table, seat), replayed(table, seat)), hidden(table)
            mark = table.playing.engine.trail_len
            exchange(table.playing, seat)
            table.position_cache.clear()
            table.growing_cache.clear()
            different += hidden(table) != real
            assert (sent(table, seat), replayed(table, seat)) == before
            table.playing.engine.undo(mark)
            table.position_cache.clear()
            table.growing_cache.clear()
    assert different, "nothing was hidden, so nothing was tested"


def exchange(game: Game, seat: int) -> None:
    """The others hold as many things as before, but other ones."""
    for secret in game.rules.layout.secrets:
        at, size = secret.at, secret.size
        for who in range(game.rules.players):
            held = [int(game.engine.s[at + who * size + i]) for i in range(size)]
            for i in range(size if who != seat else 0):
                game.engine.put(at + who * size + i, held[i - 1])


def hidden(table: Table) -> list[tuple[str, ...]]:
    return [table.playing.secrets(seat) for seat in range(3)]


def test_the_seed_is_shown_at_the_end_only() -> None:
    for table in played(a_table(), seed=3):
        assert (table.seed.encode() in sent(table, 0)) == (table.outcome is not None)


def test_only_the_owner_sees_his_hand() -> None:
    table = a_table(options={"hand": 3})
    own = msgspec.json.decode(sent(table, 1))["game"]
    other = msgspec.json.decode(sent(table, 0))["game"]
    assert len(own["secret"]) == 3
    assert own["secret_counts"] == other["secret_counts"] == [3, 3]
    assert [entry["action"] for entry in other["log"]][3:] == ["draw ?"] * 3
    assert [entry["events"][0]["name"] for entry in other["log"]][3:] == ["?"] * 3
    assert [entry["action"] for entry in own["log"]][:3] == ["draw ?"] * 3


def test_the_question_goes_to_nobody_else() -> None:
    table = a_table()
    assert b'"question":{' in sent(table, 0)
    assert b'"question":null' in sent(table, 1)
    assert b'"question":null' in sent(table, -1)
