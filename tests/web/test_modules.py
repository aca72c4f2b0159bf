"""A turn of every module's special action, by the same clicks as a person."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.hand import Hand, scenario

SPECIAL = {
    "big follower": ("inns_and_cathedrals/big_follower_as_farmer", "deploy big_follower 0,-1 field NL"),
    "builder": ("traders_and_builders/builder_second_turn", "deploy builder 2,0 road E"),
    "pig": ("traders_and_builders/pig_of_the_majority", "deploy pig 0,2 field NL"),
    "shepherd": ("hills_and_sheep/flock_driven_home", "deploy shepherd 0,-1 field NL"),
    "flock grows": ("hills_and_sheep/flock_driven_home", "choose grow"),
    "flock goes home": ("hills_and_sheep/flock_driven_home", "choose home"),
    "wheel": ("wheel_of_fortune/crown", "deploy follower crown taxes"),
    "plague": ("wheel_of_fortune/plague", "take follower 2,0 field NL"),
    "abbot back": ("abbot/abbot_taken_back", "take abbot 0,0 garden"),
    "companion": ("anniversary/companion_beside_a_knight", "deploy follower 0,-1 city E"),
    "anywhere": ("anniversary/anywhere_unoccupied_and_incomplete", "deploy abbot 1,1 garden"),
    "again": ("anniversary/again_gives_one_more_turn", "place AE-K 0,-1 180"),
    "symbol that does not act": ("anniversary/arrow_to_an_empty_square", "place AE-F 1,0 0"),
    "which symbol": ("anniversary/arrow_against_arrow_the_own_one_chosen", "choose 1,1"),
    "hut": ("hunters_and_gatherers/hut_with_five_fish", "deploy hut 2,0 waters W"),
    "bonus tile": ("hunters_and_gatherers/bonus_tiles_are_no_chain", "place hg089 1,3 180"),
    "stable": ("over_hill_and_dale/stable_with_nine_animals", "deploy stable 1,0 meadow"),
    "wander": ("over_hill_and_dale/wandering_either_way", "move meeple 2,0 path E to 0,0 path E"),
    "harvest": ("over_hill_and_dale/tied_farmers_take_turns", "choose scarecrow"),
}


@pytest.mark.parametrize("special", SPECIAL)
def test_special_action(visit: Callable[..., Hand], special: str) -> None:
    """The action itself, then whatever follows in its scenario: a second turn, a flock driven home, a score."""
    name, action = SPECIAL[special]
    record, draws, rest = scenario(name, action)
    hand = visit(None)
    hand.open_record(record, draws)
    for line in rest:
        hand.asked()
        hand.play(line.partition(": ")[2])
    assert hand.played()[-len(rest) :] == rest


def test_the_wheel_on_the_board(visit: Callable[..., Hand]) -> None:
    """The crowns are lit where they are painted, and the pig stands on its sector."""
    hand = visit(None)
    made = hand.api("POST", "/api/tables", data={"modules": ["wheel_of_fortune"], "seats": [{"kind": "human"}] * 2})
    hand.page.goto(made["link"])
    while hand.asked() != "spot" or "crown storm" not in hand.targets():
        hand.answer()
    hand.play("deploy follower crown storm")
    assert "deploy follower crown storm" in hand.log()


TWO_ON_ONE_SECTOR = """bastide 1
modules wheel_of_fortune
players red blue
start B 0,0 0
draws scripted

red: draw B; place B 0,1 0; deploy follower crown taxes
blue: draw B; place B 0,2 0; pass
red: draw B; place B 0,3 0; deploy follower crown taxes
"""


def test_a_second_follower_on_a_sector_broke_the_page(visit: Callable[..., Hand]) -> None:
    """Two pieces of one player that nothing tells apart."""
    hand = visit(None)
    hand.open_record(TWO_ON_ONE_SECTOR, ["B"])
    assert hand.asked() == "place"
    standing = hand.page.locator(".players li").first.locator(".token")
    assert [one.split(" (")[0] for one in standing.all_inner_texts()] == ["follower", "follower"]
