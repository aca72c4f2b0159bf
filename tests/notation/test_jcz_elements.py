"""Saved games of JCloisterZone whose tables played otherwise: alone, without elements, with other numbers of pieces."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from bastide.errors import BastideError
from bastide.notation.jcz import import_jcz
from tests.notation.test_jcz import CLOSING, COMMIT, PASS, ROAD, Saved, deploy, lines, place, results, saved

USUAL = {"small-follower": 7, "farmers": True}
MEADOW = "ER.SL.SR.WL"  # south of a straight road
NORTH = "NL.NR.EL.WR"  # north of it


def options(game: Saved) -> dict[str, Any]:
    """The options in the header of the record."""
    return dict(import_jcz(json.dumps(game)).record.header.options)


def sheep(random: float, player: int = 0) -> Saved:
    """The first token of a shepherd."""
    return {"type": "SHEPHERD_CONFIRM", "payload": {"random": random}, "player": player}


def flock(value: str, random: float = 0.0) -> Saved:
    return {"type": "FLOCK_EXPAND_OR_SCORE", "payload": {"value": value, "random": random}}


# --- who plays


@pytest.mark.rule("HOUSE-2")
def test_one_player_alone() -> None:
    game = saved(*CLOSING, place("BA/RFr", 0, 1, 0), deploy("0.small.2", 1, 0, "Road", "WE"), COMMIT, end=2)
    game["players"] = [{"name": "Betty", "slot": 2, "ai": False}]
    game["test"]["assertions"] = ["Betty has 6 points.", "Betty scored road for 2 points."]
    assert results(game) == {"check score Betty 6": "", "check scored Betty road 2": ""}


# --- elements that are absent


@pytest.mark.rule("HOUSE-8")
def test_inns_that_are_switched_off() -> None:
    """The unfinished road scores as any other."""
    game = saved(
        *(place("IC/RFr.i", 0, 1, 0), deploy("0.small.1", 1, 0, "Road", "WE"), COMMIT),
        sets={"basic:1": 1, "inns-and-cathedrals:1": 1},
        elements={**USUAL, "big-follower": 1, "cathedral": True},
        assertions=("Ann has 2 points",),
        end=1,
    )
    assert options(game) == {"inns": "off"}
    assert results(game) == {"check score Ann 2": ""}


def test_inns_and_cathedrals_count_nothing_or_as_usual_at_the_end() -> None:
    for value, points in (("zero", 0), ("ignore", 2)):
        game = saved(
            *(place("IC/RFr.i", 0, 1, 0), deploy("0.small.1", 1, 0, "Road", "WE"), COMMIT),
            sets={"basic:1": 1, "inns-and-cathedrals:2": 1},
            elements={**USUAL, "inn": True, "cathedral": True},
            rules={"inn-and-cathedral-final-scoring": value},
            assertions=(f"Ann has {points} points",),
            end=1,
        )
        assert results(game) == {f"check score Ann {points}": ""}


@pytest.mark.rule("HOUSE-10")
@pytest.mark.parametrize(("vineyard", "points"), [(True, 12), (False, 9)])
def test_hills_and_vineyards_that_are_switched_off(vineyard: bool, points: int) -> None:
    """A cloister with eight tiles around it, one of them with a vineyard."""
    ring = [(1, 1), (1, 2), (1, 3), (-1, 1), (-1, 2), (-1, 3)]
    game = saved(
        *(place("BA/L", 0, 0, 1), PASS, COMMIT),
        *(place("BA/L", 0, 0, 2), deploy("1.small.1", 0, 2, "Monastery", "I"), COMMIT),
        *(message for x, y in ring for message in (place("BA/L", 0, x, y), PASS, COMMIT)),
        *(place("HS/C!.v", 180, 0, 3), PASS, COMMIT),
        sets={"basic:1": 1, "hills-and-sheep:1": 1},
        elements={**USUAL, **({"vineyard": True} if vineyard else {})},
        assertions=(f"Bob Lee scored monastery for {points} points",),
    )
    off = {"hills": "off", "shepherds": 0, "shepherd_action": "after", "closed_flock": "home"}
    assert options(game) == {**off, **({} if vineyard else {"vineyards": "off"})}
    assert results(game) == {f"check scored Bob_Lee cloister {points}": ""}


def test_what_is_false_or_zero_is_absent() -> None:
    game = saved(
        *CLOSING, sets={"basic:1": 1, "traders-and-builders:2": 1}, elements={**USUAL, "pig": 0, "traders": False}
    )
    assert options(game) == {"builders": 0, "pigs": 0, "goods": "off"}


# --- numbers of pieces


@pytest.mark.rule("HOUSE-3")
def test_other_numbers_of_pieces() -> None:
    elements = {"small-follower": 5.0, "farmers": True, "pig": 2, "shepherd": 3, "big-follower": 2}
    game = saved(*CLOSING, elements=elements)
    found = options(game)
    assert (found["followers"], found["pigs"], found["shepherds"], found["big_followers"]) == (5, 2, 3, 2)
    assert found["traders_and_builders_copies"] == 0  # the piece without the tiles of its box


@pytest.mark.rule("HOUSE-9")
def test_two_pigs_in_one_field() -> None:
    game = saved(
        *(place("BA/C", 180, 0, -1), deploy("0.small.1", 0, -1, "Field", "NL.NR.EL.ER.WL.WR"), COMMIT),
        *(place("BA/L", 0, 0, -2), deploy("0.pig.1", 0, -2, "Field", "NL.NR.EL.ER.SL.SR.WL.WR"), COMMIT),
        *(place("BA/L", 0, 0, -3), deploy("0.pig.2", 0, -3, "Field", "NL.NR.EL.ER.SL.SR.WL.WR"), COMMIT),
        elements={**USUAL, "pig": 2},
        assertions=("Ann has 4 points",),
        end=3,
    )
    game["players"] = [{"name": "Ann"}]
    assert results(game) == {"check score Ann 4": ""}


@pytest.mark.rule("HOUSE-10")
def test_two_shepherds_are_asked_for_one_field_after_the_other() -> None:
    game = saved(
        *(place("BA/RFr", 0, 1, 0), deploy("0.shepherd.1", 1, 0, "Field", MEADOW), sheep(0.0), COMMIT),
        *(place("BA/RFr", 0, 2, 0), deploy("0.shepherd.2", 2, 0, "Field", NORTH), sheep(0.8), flock("EXPAND"), COMMIT),
        *(place("BA/RFr", 0, 3, 0), PASS, flock("SCORE"), flock("SCORE"), COMMIT),
        sets={"basic:1": 1, "hills-and-sheep:1": 1},
        elements={**USUAL, "shepherd": 2, "hill": True, "vineyard": True},
        assertions=("Ann has 6 points",),
    )
    game["players"] = [{"name": "Ann"}]
    assert lines(game)[1:3] == [
        "Ann: draw U; place U 2,0 0; deploy shepherd 2,0 field NL; draw sheep_4; choose grow; draw sheep_1",
        "Ann: draw U; place U 3,0 0; pass; choose home; choose home",
    ]
    assert results(game) == {"check score Ann 6": ""}


# --- what changes nothing, and what cannot be done


@pytest.mark.parametrize(
    "element",
    [
        *({"pig-herd": True}, {"princess": True}, {"dragon": 1}, {"witch": 1}, {"count": 1}),  # without their tiles
        *({"mayor": 1}, {"fairy": 1}, {"abbey": 1}, {"castle": 3}, {"bridge": 3}, {"little-buildings": 1}),  # not used
    ],
)
def test_an_element_that_changes_nothing_is_noted(element: Saved) -> None:
    game = saved(*CLOSING, elements={**USUAL, **element}, assertions=("Ann has 4 points",))
    record = import_jcz(json.dumps(game)).record
    assert record.header.notes == (f"# changes nothing in this game: {next(iter(element))}",)
    assert results(game) == {"check score Ann 4": ""}


@pytest.mark.parametrize(
    ("elements", "replay", "reason"),
    [
        ({"king": True}, CLOSING, "this game needs 'king', which no box here has"),
        (
            {"wagon": 1},
            (CLOSING[0], deploy("0.wagon.1", 0, -1, "City", "S"), COMMIT),
            "this game needs 'wagon', which no box here has",
        ),
        (
            {"fairy": 1},
            (*CLOSING, {"type": "MOVE_NEUTRAL_FIGURE", "payload": {"figureId": "fairy.1"}}),
            "this game needs 'fairy', which no box here has",
        ),
        (
            {"castle": 3},
            (*CLOSING, {"type": "PLACE_TOKEN", "payload": {"token": "CASTLE"}}),
            "this game needs 'castle', which no box here has",
        ),
        ({"abbey": 1}, (*CLOSING, place("AM/A", 0, 1, 1)), "this game needs 'abbey', which no box here has"),
        ({"pig": 16}, CLOSING, "setup.elements.pig: expected 0 to 15, found 16"),
        ({"pig": "many"}, CLOSING, 'setup.elements.pig: expected a whole number, found "many"'),
        ({"small-follower": 0}, CLOSING, "this game is played without 'small-follower', which cannot be done here"),
    ],
)
def test_a_refusal_names_the_element(elements: Saved, replay: tuple[Saved, ...], reason: str) -> None:
    with pytest.raises(BastideError) as refusal:
        import_jcz(json.dumps(saved(*replay, elements={**USUAL, **elements})))
    assert str(refusal.value) == reason


# --- rules


@pytest.mark.parametrize("value", [True, "true", False, "false"])
def test_vineyards_for_gardens(value: bool | str) -> None:
    elements = {**USUAL, "abbot": 1, "garden": True, "vineyard": True}
    found = options(saved(*CLOSING, elements=elements, rules={"vineyards-for-garden": value}))
    assert found.get("vineyards_for_gardens", "off") == ("on" if str(value).lower() == "true" else "off")


def test_a_rule_about_a_box_that_is_not_in_play_is_noted() -> None:
    record = import_jcz(json.dumps(saved(*CLOSING, rules={"vineyards-for-garden": True}))).record
    assert record.header.notes == ("# means nothing with these boxes: rule vineyards-for-garden true",)


@pytest.mark.rule("HOUSE-4")
def test_several_copies_of_boxes() -> None:
    game = saved(*CLOSING, sets={"basic:1": 1, "basic:2": 1})
    del game["gameAnnotations"]
    assert options(game) == {"copies": 2}
    game["setup"]["sets"] = {"basic:1": 4}
    with pytest.raises(BastideError, match=r"setup.sets.basic:1: expected at most 3 copies of the box, found 4"):
        import_jcz(json.dumps(game))


@pytest.mark.rule("HOUSE-4", "HOUSE-5")
def test_older_printings_have_plain_tiles_where_newer_ones_have_gardens() -> None:
    """Without an order of draws the bag decides: five BA/C are in the older box, four and a BA/CG in the newer one."""
    five = [place("BA/C", r, x, y) for r, x, y in ((180, 0, -1), (0, 0, -2), (180, 0, -3), (90, 1, -1), (270, 2, -1))]
    game = saved(*(m for tile in five for m in (tile, PASS, COMMIT)), elements={**USUAL, "abbot": 1, "garden": True})
    del game["gameAnnotations"]
    assert "E=5+Eg=0" in options(game)["tile_counts"]
    assert "I=2+Ig=0" in options(game)["tile_counts"]
    game["setup"]["sets"] = {"basic:1": 1, "basic:2": 1}
    assert "E=9+Eg=1" in options(game)["tile_counts"]
    game["setup"]["sets"] = {"basic:2": 1}
    with pytest.raises(BastideError, match="draw E: no such tile is left in the bag"):
        import_jcz(json.dumps(game))


SPRING = [{"tile": "RI/s", "x": 0, "y": 0, "rotation": 0}]


@pytest.mark.rule("HOUSE-16")
def test_a_river_without_sheep_and_vineyards() -> None:
    """That program prints none on its river; two of its tiles differ in nothing then."""
    game = saved(
        *(place("RI.1/IFI", 180, 1, 0), deploy("0.shepherd.1", 1, 0, "Field", NORTH), sheep(0.3), COMMIT),
        *(place("RI.1/IFI", 0, 2, 0), PASS, COMMIT, place("RI.1/II", 0, 3, 0), PASS, flock("SCORE"), COMMIT),
        sets={"basic:1": 1, "river/1:1": 1, "hills-and-sheep:1": 1},
        elements={**USUAL, "shepherd": 1, "hill": True, "vineyard": True},
        start=SPRING,
        assertions=("Ann scored flock for 2 points",),
    )
    assert set(results(game).values()) == {""}
    del game["gameAnnotations"]
    assert set(results(game).values()) == {""}


def test_the_river_with_a_garden_is_the_same_river() -> None:
    """Only an abbot on that garden cannot be played: the tile has none here."""
    game = saved(
        *(place("RI.1/IIG", 0, 1, 0), PASS, COMMIT),
        sets={"basic:2": 1, "river/1:2": 1},
        elements={**USUAL, "abbot": 1, "garden": True},
        start=SPRING,
    )
    assert lines(game) == ["Ann: draw RI-G; place RI-G 1,0 0; pass"]
    game["replay"][1] = deploy("0.abbot.1", 1, 0, "Garden", "I")
    with pytest.raises(BastideError, match=r"expected the sides of a garden on tile RI-G as it lies, found \"I\""):
        import_jcz(json.dumps(game))


# --- where and who


@pytest.mark.parametrize(
    ("location", "spot"),
    [("E", "city EL"), ("W", "city SR"), ("SE", "city EL")],
)
def test_a_city_that_shares_a_side_is_named_by_its_own(location: str, spot: str) -> None:
    """HS-L lies turned: its two cities share the side S, one has E for itself, the other W."""
    game = saved(
        *(place("HS/CC!.v", 180, 0, -1), deploy("0.small.1", 0, -1, "City", location), COMMIT),
        sets={"basic:1": 1, "hills-and-sheep:1": 1},
        elements={**USUAL, "shepherd": 1, "hill": True, "vineyard": True},
    )
    assert lines(game)[0].endswith(f"deploy follower 0,-1 {spot}")


def test_the_other_client_may_confirm_a_shepherd() -> None:
    game = saved(
        *(place("BA/RFr", 0, 1, 0), deploy("0.shepherd.1", 1, 0, "Field", MEADOW), sheep(0.0, player=1), COMMIT),
        elements={**USUAL, "shepherd": 1},
    )
    assert lines(game) == ["Ann: draw U; place U 1,0 0; deploy shepherd 1,0 field ER; draw sheep_1"]


def test_a_shepherd_is_confirmed_by_either_word() -> None:
    confirmed = {**sheep(0.0), "type": "SHEPHERD_CONFIRMED"}
    game = saved(
        *(place("BA/RFr", 0, 1, 0), deploy("0.shepherd.1", 1, 0, "Field", MEADOW), confirmed, COMMIT),
        elements={**USUAL, "shepherd": 1},
    )
    assert lines(game)[0].endswith("draw sheep_1")


def test_the_last_turn_counts_tiles_that_fitted_nowhere() -> None:
    """Three tiles were drawn, the second fits nowhere: the game ends after two turns and is scored."""
    game = saved(
        *(place("BA/RFr", 0, 1, 0), deploy("0.small.1", 1, 0, "Road", "WE"), COMMIT),
        *(place("BA/RRR", 0, 2, 0), PASS, COMMIT),
        start=[{"tile": "BA/RFr", "x": 0, "y": 0, "rotation": 0}],
        assertions=("Ann has 3 points",),
        end=3,
    )
    game["gameAnnotations"]["drawOrder"].insert(1, "BA/Cccc+")
    assert lines(game)[-2:] == ["end", "check score Ann 3"]
    assert set(results(game).values()) == {""}


def test_an_abbot_is_taken_back() -> None:
    pointer = {"featurePointer": {"position": [0, 1], "feature": "Monastery", "location": "I"}, "meepleId": "0.abbot.1"}
    game = saved(
        *(place("BA/L", 0, 0, 1), deploy("0.abbot.1", 0, 1, "Monastery", "I"), COMMIT),
        *(place("BA/RFr", 0, 1, 0), PASS, COMMIT),
        *(place("BA/L", 0, 0, 2), {"type": "RETURN_MEEPLE", "payload": {"pointer": pointer, "source": "ABBOT_RETURN"}}),
        COMMIT,
        elements={**USUAL, "abbot": 1, "garden": True},
        assertions=("Ann scored monastery for 4 points",),
    )
    assert lines(game)[2] == "Ann: draw B; place B 0,2 0; take abbot 0,1 cloister"
    assert results(game) == {"check scored Ann cloister 4": ""}


def test_older_files_say_farm_and_cloister() -> None:
    game = saved(
        *(place("BA/RFr", 0, 1, 0), deploy("0.small.1", 1, 0, "Farm", MEADOW), COMMIT),
        *(place("BA/L", 0, 0, 1), deploy("1.small.1", 0, 1, "Cloister", "CLOISTER"), COMMIT),
    )
    assert [line.partition("deploy ")[2] for line in lines(game)] == ["follower 1,0 field ER", "follower 0,1 cloister"]


def test_a_file_without_start_tiles_begins_as_usual() -> None:
    game = saved(*CLOSING, start=[])
    assert lines(game)[0].startswith("Ann: draw E; place E 0,-1 180")


# --- whatever else a file may hold


def damaged(value: Any, random: Random) -> Any:
    """The same JSON with some of its values exchanged, dropped or doubled."""
    strange = [None, True, -1, 0, 7, 1e9, 0.5, "", "N", "0.small.1", "\udcff", "a\nb", [], {}, [1, 2], {"x": 1}]
    if random.random() < 0.01:
        return random.choice(strange)
    if isinstance(value, dict):
        kept = {key: damaged(entry, random) for key, entry in value.items() if random.random() > 0.01}
        return {**kept, **({random.choice(["inn", "hill", "pig", "x"]): 1} if random.random() < 0.02 else {})}
    if isinstance(value, list):
        items = [damaged(entry, random) for entry in value if random.random() > 0.02]
        return items + items[:1] if random.random() < 0.02 else items
    return value


WHOLE = saved(
    *(*CLOSING, *ROAD, place("BA/L", 0, 0, 1), PASS, COMMIT),
    *(place("BA/RFr", 0, 2, 0), deploy("1.shepherd.1", 2, 0, "Field", MEADOW), sheep(0.3, 1), COMMIT),
    sets={"basic:1": 1, "hills-and-sheep:1": 1},
    elements={**USUAL, "shepherd": 1, "pig": 1, "inn": True, "pig-herd": True},
    rules={"tiny-city-scoring": "4", "hill-tiebreaker": "at-least-one-follower"},
    assertions=("Ann has 4 points", "Ann scored city for 4 points", "Phase is X"),
    end=4,
)


def test_a_damaged_file_is_imported_or_refused_with_a_sentence() -> None:
    random = Random(16)
    refusals = Counter[str]()
    for _ in range(150):
        try:
            str(import_jcz(json.dumps(damaged(WHOLE, random))).record).encode()
            refusals[""] += 1
        except BastideError as refusal:
            refusals[str(refusal)] += 1
    assert refusals[""] > 10
    assert len(refusals) > 40


def test_json_without_end_is_refused() -> None:
    for text in ("[" * 100_000, "{", "nan", '{"players": ' * 5_000):
        with pytest.raises(BastideError, match=r"expected a saved game in JSON|file: expected an object"):
            import_jcz(text)


# --- older files


@pytest.mark.rule("HILL-2")
@pytest.mark.parametrize(("random", "points"), [(0.2, 1), (0.4, 2), (0.7, 3), (0.95, 0)])
def test_without_a_confirmation_the_last_commit_brings_the_token(random: float, points: int) -> None:
    """A cathedral's tiny field is closed at once: the shepherd brings what the commit before drew."""
    game = saved(
        *(place("BA/RFr", 0, 1, 0), PASS, {"type": "COMMIT", "payload": {"random": random}}),
        *(place("IC/CCCC", 0, 0, -1), deploy("1.shepherd.1", 0, -1, "Field", "I"), COMMIT),
        sets={"basic:1": 1, "inns-and-cathedrals:1": 1, "hills-and-sheep:1": 1},
        elements={**USUAL, "shepherd": 1, "hill": True, "vineyard": True},
        assertions=(f"Bob Lee has {points} points",),
    )
    assert set(results(game).values()) == {""}


def test_a_token_without_any_random_number_is_refused() -> None:
    """The oldest files have a seed of another generator instead."""
    game = saved(
        *(place("BA/RFr", 0, 1, 0), deploy("0.shepherd.1", 1, 0, "Field", MEADOW)),
        {"type": "COMMIT", "payload": {"salt": "-1"}},
        elements={**USUAL, "shepherd": 1},
    )
    game["initialSeed"] = "-1158007083210809278"
    with pytest.raises(BastideError, match="replay: expected a random number before a token is drawn, found none"):
        import_jcz(json.dumps(game))


def test_the_oldest_files_name_a_place_without_its_feature() -> None:
    game = saved(
        *(place("BA/C", 180, 0, -1), deploy("0.small.1", 0, -1, "Field", "NL.NR.EL.ER.WL.WR"), COMMIT),
        *(place("BA/RFr", 0, 1, 0), deploy("1.small.1", 1, 0, "Road", "WE"), COMMIT),
        *(place("BA/L", 0, 0, -2), deploy("0.small.2", 0, -2, "Monastery", "I"), COMMIT),
    )
    for message in game["replay"]:
        message["payload"].get("pointer", {}).pop("feature", None)
    played = " ".join(lines(game))
    assert all(spot in played for spot in ("0,-1 field N", "1,0 road E", "0,-2 cloister"))
