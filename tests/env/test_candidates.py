"""Rows for legal actions, planes, tables of regions: what they say is what the position is."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")
pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from typing import Any  # noqa: E402

from bastide.bots.contract import hidden_positions, hiding_rules  # noqa: E402
from bastide.env import rotated_actions, rotated_planes  # noqa: E402
from bastide.env.episode import EpisodeRunner  # noqa: E402
from bastide.env.observations import KINDS, Observations  # noqa: E402
from bastide.game import Game, Rng  # noqa: E402
from bastide.game import candidates as columns  # noqa: E402
from bastide.game import planes as plane  # noqa: E402
from bastide.game.seeds import mixed  # noqa: E402
from bastide.game.window import CELLS, HALF, SIDE  # noqa: E402
from bastide.rules import Rules  # noqa: E402


def seen(game: Game, kind: str, seat: int) -> Any:
    observations = Observations(kind, game.rules, 1)
    engine = game.engine
    count = engine.legal() if seat == game.seat else 0
    observations.writer.write(0, engine, seat, count)
    return observations.one()


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return all(np.array_equal(part, other[name]) for name, part in one.items())
    return bool(np.array_equal(one, other))


def test_a_row_tells_the_position_after_its_action() -> None:
    """Every action of a game, one row each, against a game in which it is played."""
    rng, checked = Rng(3), 0
    game = Game(seed=3)
    while not game.over:
        rows = seen(game, "candidates", game.seat)
        assert not rows[len(game.legal) :].any()
        for row, action in zip(rows, game.legal, strict=False):
            after = game.copy()
            seat, before = game.seat, game.scores
            after.play(action)
            verbs = [row[columns.IS_PLACE], row[columns.IS_DISCARD], row[columns.IS_PASS], row[columns.IS_DEPLOY]]
            assert verbs == [action.verb == verb for verb in ("place", "discard", "pass", "deploy")]
            if not after.over:
                assert row[columns.GAIN] == after.scores[seat] - before[seat]
                assert row[columns.LEAD] == after.scores[seat] - after.scores[1 - seat]
                assert row[columns.FOLLOWERS] == after.supply(seat)["follower"]
            if action.verb == "deploy":
                assert list(game.rules.layout.kinds)[row[columns.LAND] - 1] == str(action.spot).split()[0]
            checked += 1
        game.play(game.legal[rng.below(len(game.legal))])
    assert checked > 1000


@pytest.mark.parametrize("choice", [{}, {"players": 4}, {"modules": ["inns_and_cathedrals"]}])
def test_places_look_the_same_whether_the_tile_is_laid_or_not(choice: dict[str, Any]) -> None:
    """The quick way joins regions by itself; the slow way lays the tile and takes it back."""
    rules = Rules.of(**choice)
    quick, slow = (Observations("candidates", rules, 1) for _ in range(2))
    slow_writer: Any = slow.writer
    assert slow_writer.quick, "these rules have no quick way: nothing is compared"
    slow_writer.quick = False
    game, rng = Game(rules, seed=6), Rng(6)
    while not game.over:
        for observations in (quick, slow):
            observations.writer.write(0, game.engine, game.seat, game.engine.legal())
        assert same(quick.one(), slow.one())
        game.play(game.legal[rng.below(len(game.legal))])


def test_own_open_city_is_seen_in_the_row_that_extends_it() -> None:
    game = Game(scripted=True)
    for text in ("draw G", "place G 0,-1 90"):
        game.play(text)
    game.play(next(action for action in game.legal if str(action.spot).startswith("city")))
    game.play("draw U")
    game.play(game.legal[0])
    game.play("pass")
    game.play("draw E")
    city = list(game.rules.layout.kinds).index("city")
    first = columns.COLUMNS + columns.BOARD_COLUMNS * len(game.rules.layout.kinds) + columns.TILE_COLUMNS * city
    rows = seen(game, "candidates", game.seat)
    (closing,) = [i for i, action in enumerate(game.legal) if action.cell == (0, -2)]
    assert rows[closing, first : first + 3].tolist() == [3, 0, 3]  # own segments, open edges, segments complete


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "row"])
def test_hidden_things_of_others_are_not_seen(kind: str) -> None:
    for rules in hiding_rules():
        for game, seat in hidden_positions(rules):
            twins = [game.view(seat).imagine(Rng(mixed(number))).engine for number in range(3)]
            real = seen(game, kind, seat)
            for twin in twins:
                observations = Observations(kind, rules, 1)
                observations.writer.write(0, twin, seat, twin.legal() if seat == game.seat else 0)
                assert same(observations.one(), real)


@pytest.mark.parametrize("preset", ["", "everything"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_what_is_written_over_looks_as_on_zeros(kind: str, preset: str) -> None:
    """Only what changed is written: the result is the same as if everything were. And it stays in its space."""
    runner = EpisodeRunner(Rules.of(preset=preset), kind, "list")
    rng, steps = Rng(5), 0
    for seed in (1, 2):
        runner.begin(seed)
        while not runner.match.over and steps < 150 * seed:
            steps += 1
            runner.match.play(rng.below(runner.match.count))
            seat = steps % 2
            shown = runner.observe(seat)
            assert runner.observations.space.contains(shown)
            fresh = Observations(kind, runner.rules, 1)
            runner.match.show(fresh.writer, seat)
            assert same(shown, fresh.one())


def test_planes_show_the_board() -> None:
    game, rng = Game(seed=5), Rng(5)
    for _ in range(40):
        game.play(game.legal[rng.below(len(game.legal))])
    while game.tile is None:
        game.play(game.legal[0])
    kinds = list(game.rules.layout.kinds)
    cells = seen(game, "planes", game.seat)["planes"]
    first = 4 * len(kinds)
    xs, ys = [x for x, _ in game.board], [y for _, y in game.board]
    left, top = (min(xs) + max(xs)) // 2 - HALF, (min(ys) + max(ys)) // 2 - HALF
    laid = {(x + left, y + top) for y, x in zip(*np.nonzero(cells[first + plane.LAID]), strict=True)}
    assert laid == set(game.board)
    fits = {(x + left, y + top, turn) for turn, y, x in zip(*np.nonzero(cells[first + plane.FITS :][:4]), strict=True)}
    assert fits == {(*action.cell, action.rotation) for action in game.legal if action.cell}
    for (x, y), tile in game.board.items():
        for side, name in enumerate("NESW"):
            (found,) = [kind for number, kind in enumerate(kinds) if cells[4 * number + side, y - top, x - left]]
            spots = [tile.tile.spot(segment, tile.rotation) for segment in range(len(tile.tile.segments))]
            assert any(spot.split()[0] == found for spot in spots), name
    for figure in game.board.figures:
        sides = plane.OWN if figure.seat == game.seat else plane.OTHERS
        x, y = figure.cell
        assert cells[first + sides : first + sides + 5, y - top, x - left].any()


def test_a_quarter_turn_of_planes_and_actions_fits_together() -> None:
    runner = EpisodeRunner(Rules.of(), "planes", "window")
    runner.begin(3)
    for _ in range(30):
        runner.match.play(0)
    while runner.game.tile is None:
        runner.match.play(0)
    planes = runner.observe(int(runner.match.seat))["planes"]
    actions = np.array(runner.legal())
    turned, moved = rotated_planes(planes), rotated_actions(actions)
    fits = planes.shape[0] - plane.PLANES + plane.FITS
    for code in moved:
        turn, place = divmod(int(code), CELLS)
        assert turned[fits + turn, place // SIDE, place % SIDE] == 1
    assert turned[fits : fits + 4].sum() == len(actions)
    assert np.array_equal(rotated_planes(planes, 4), planes)
    assert np.array_equal(rotated_actions(rotated_actions(actions, 3)), actions)
    assert not np.array_equal(turned, planes)
    assert rotated_actions(np.array([4 * CELLS + 1])).tolist() == [4 * CELLS + 1]


def test_more_actions_than_a_list_shows_are_left_off() -> None:
    rules = Rules.of()
    runner = EpisodeRunner(rules, "candidates", "list")
    runner.begin(1)
    assert runner.index(int(runner.match.count)) == -1
    assert runner.index(128) == runner.index(-1) == -1
    assert runner.mask().sum() == runner.match.count


def test_regions_are_those_of_the_game() -> None:
    game, rng = Game(seed=5), Rng(5)
    for _ in range(60):
        game.play(game.legal[rng.below(len(game.legal))])
    kinds = list(game.rules.layout.kinds)
    table = seen(game, "regions", game.seat)["regions"]
    rows = sorted(tuple(map(int, row[:6])) for row in table if row[0])
    seat = game.seat
    wanted = sorted(
        (
            *(kinds.index(region.kind) + 1, region.segments, region.open, int(region.complete)),
            *(region.weights[seat], region.weights[1 - seat]),
        )
        for region in game.state().regions()
        if any(region.weights) or not region.complete
    )
    assert rows == wanted
    holes = seen(game, "regions", game.seat)["holes"]
    assert holes[:, 0].sum() == game.engine.s[2]
