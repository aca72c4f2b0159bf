"""Saved games of JCloisterZone with boxes besides the base game, each a few turns of our own."""

from __future__ import annotations

from typing import Any

from tests.notation.test_jcz import COMMIT, PASS, Saved, deploy, lines, place, results, saved

MEADOW = "ER.SL.SR.WL"  # south of a straight road


def with_box(box: str, *replay: Saved, elements: dict[str, Any] | None = None, **more: Any) -> Saved:
    """A saved game with one more box and what it brings."""
    in_play = {"small-follower": 7, "farmers": True, **(elements or {})}
    return saved(*replay, sets={"basic:1": 1, box: 1}, elements=in_play, **more)


def test_river() -> None:
    """The spring lies at the start; a cloister stands by the river."""
    game = with_box(
        "river/1:1",
        *(place("RI.1/IFI", 0, 1, 0), PASS, COMMIT),
        *(place("RI.1/LIRI", 0, 2, 0), deploy("1.small.1", 2, 0, "Monastery", "I"), COMMIT),
        start=[{"tile": "RI/s", "x": 0, "y": 0, "rotation": 0}],
        assertions=("Bob Lee scored monastery for 2 points",),
        end=2,
    )
    assert lines(game)[1] == "Bob_Lee: draw RI-H; place RI-H 2,0 0; deploy follower 2,0 cloister"
    assert results(game) == {"check scored Bob_Lee cloister 2": ""}


def test_inns_and_cathedrals() -> None:
    """INNS-4: an unfinished road with an inn brings nothing, not even to a big follower."""
    game = with_box(
        "inns-and-cathedrals:1",
        *(place("IC/RFr.iG", 0, 1, 0), deploy("0.big.1", 1, 0, "Road", "WE"), COMMIT),
        elements={"big-follower": 1, "inn": True, "cathedral": True},
        assertions=("Ann has 0 points",),
        end=1,
    )
    assert lines(game)[0] == "Ann: draw IC-B; place IC-B 1,0 0; deploy big_follower 1,0 road E"
    assert results(game) == {"check score Ann 0": ""}


def test_traders_and_builders() -> None:
    """TRAD-4: Ann's builder stands on her road; when she extends it, she has a second tile."""
    game = with_box(
        "traders-and-builders:1",
        *(place("BA/RFr", 0, 1, 0), deploy("0.small.1", 1, 0, "Road", "WE"), COMMIT),
        *(place("BA/L", 0, 0, 1), PASS, COMMIT),
        *(place("BA/RFr", 0, 2, 0), deploy("0.builder.1", 2, 0, "Road", "WE"), COMMIT),
        *(place("BA/L", 0, 1, 1), PASS, COMMIT),
        *(place("BA/RFr", 0, 3, 0), PASS, COMMIT),
        *(place("BA/RFr", 0, 4, 0), PASS, COMMIT),
        elements={"builder": 1, "pig": 1, "traders": True},
    )
    assert lines(game)[2:] == [
        "Ann: draw U; place U 2,0 0; deploy builder 2,0 road E",
        "Bob_Lee: draw B; place B 1,1 0; pass",
        "Ann: draw U; place U 3,0 0; pass",
        "Ann: draw U; place U 4,0 0; pass",
    ]


def test_hills_and_sheep() -> None:
    """The number in the file tells the token: 0 is the first of the bag, one sheep; then the flock goes home."""
    game = with_box(
        "hills-and-sheep:1",
        place("BA/RFr", 0, 1, 0),
        deploy("0.shepherd.1", 1, 0, "Field", MEADOW),
        *({"type": "SHEPHERD_CONFIRM", "payload": {"random": 0.0}}, COMMIT),
        *(place("BA/L", 0, 0, 1), PASS, COMMIT),
        *(place("BA/L", 0, 1, 1), PASS),
        *({"type": "FLOCK_EXPAND_OR_SCORE", "payload": {"value": "SCORE", "random": 0.0}}, COMMIT),
        elements={"shepherd": 1, "hill": True, "vineyard": True},
        assertions=("Ann has 1 points",),
    )
    assert lines(game)[0] == "Ann: draw U; place U 1,0 0; deploy shepherd 1,0 field ER; draw sheep_1"
    assert lines(game)[2] == "Ann: draw B; place B 1,1 0; pass; choose home"
    assert results(game) == {"check score Ann 1": ""}


def test_abbot_and_gardens() -> None:
    """The second edition's city with a garden behind it: the abbot stands there, with one neighbour at the end."""
    game = saved(
        *(place("BA/CG", 180, 0, -1), deploy("0.abbot.1", 0, -1, "Garden", "I"), COMMIT),
        sets={"basic:2": 1},
        elements={"small-follower": 7, "farmers": True, "abbot": 1, "garden": True},
        assertions=("Ann scored garden for 2 points",),
        end=1,
    )
    assert lines(game)[0] == "Ann: draw Eg; place Eg 0,-1 180; deploy abbot 0,-1 garden"
    assert results(game) == {"check scored Ann garden 2": ""}
