"""The vector, its trail, regions and the frontier, without any game around them."""

from __future__ import annotations

from random import Random

from bastide.game import Engine, new_engine
from bastide.kernel.offsets import CLOSED_LEN, FRONT_LEN, LAST, OPEN, SIZE, STRENGTH, TILES_LEN
from bastide.kernel.torus import Torus
from bastide.rules import Rules


def fresh() -> Engine:
    return new_engine(Rules.of())


def lay(engine: Engine, name: str, cell: tuple[int, int], turn: int) -> int:
    torus = Torus(engine.rules.shape.squares)
    return engine.lay(engine.rules.type_named(name), torus.number(cell), turn, 0)


def used(engine: Engine) -> list[int]:
    """Every number of the state, also those that no key needs: what lies behind the last tile is scratch."""
    return list(engine.s[: engine.next_block(engine.s[LAST])])


def test_the_start_tile_opens_four_cells() -> None:
    engine = fresh()
    assert (engine.s[TILES_LEN], engine.s[FRONT_LEN]) == (1, 4)


def test_two_caps_make_a_closed_city() -> None:
    """
    E turned over  ..####..
    start tile D   ..####..   the two city parts are one region of two segments, nothing open
    """
    engine = fresh()
    block = lay(engine, "E", (0, -1), 2)
    city = engine.find(engine.node(block, 0))
    assert (engine.s[city + SIZE], engine.s[city + OPEN], engine.s[CLOSED_LEN]) == (2, 0, 1)


def test_an_open_city_is_not_closed_by_a_neighbour() -> None:
    engine = fresh()
    block = lay(engine, "R", (0, -1), 2)
    city = engine.find(engine.node(block, 0))
    assert (engine.s[city + SIZE], engine.s[city + OPEN], engine.s[CLOSED_LEN]) == (2, 2, 0)


def test_a_field_between_more_cities_than_tiles_can_be_listed() -> None:
    """129 tiles H in a row: one field between 258 open cities. The list once had room for 257."""
    engine = new_engine(Rules.of(scripted=True))
    for x in range(129):
        block = lay(engine, "H", (x, 3), 0)
    field = next(engine.region(i) for i in range(engine.segments(block)) if engine.size_of(engine.region(i)) == 129)
    assert engine.bordering(field, False) == 258


def test_undo_brings_back_every_number() -> None:
    engine = fresh()
    before = used(engine)
    lay(engine, "U", (1, 0), 0)
    lay(engine, "V", (2, 0), 0)
    engine.undo(0)
    assert used(engine) == before


def test_random_placements_undone_in_any_depth() -> None:
    random = Random(5)
    engine = fresh()
    marks: list[tuple[int, list[int]]] = []
    for _ in range(60):
        kind = random.randrange(engine.rules.types)
        places = engine.fitting_places(kind)
        if places:
            marks.append((engine.trail_len, used(engine)))
            move = random.choice(places)
            engine.lay(kind, move >> 2, move & 3, 0)
    while marks:
        mark, before = marks.pop(random.randrange(len(marks)))
        engine.undo(mark)
        assert used(engine) == before
        marks = [entry for entry in marks if entry[0] <= mark]


def test_a_copy_is_independent() -> None:
    engine = fresh()
    twin = engine.clone()
    lay(twin, "U", (1, 0), 0)
    assert (engine.s[TILES_LEN], twin.s[TILES_LEN]) == (1, 2)


def test_the_trail_grows_when_it_is_full() -> None:
    engine = fresh()
    for value in range(3000):
        engine.put(STRENGTH, value)
    engine.undo(0)
    assert engine.s[STRENGTH] == 0


def test_a_line_of_all_tiles_does_not_meet_itself() -> None:
    """71 straight roads in a row, east of the start tile: the landscape never closes."""
    engine = new_engine(Rules.of(scripted=True))
    for x in range(1, 200):
        lay(engine, "U", (x, 0), 0)
    assert engine.s[CLOSED_LEN] == 0
    assert engine.s[FRONT_LEN] == 2 * 200 + 2
