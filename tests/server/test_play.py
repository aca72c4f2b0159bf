"""Playing over the socket: turns, undo, take-backs, resigning, chat, bots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bastide.server.api.outgoing import Outgoing, Presence
from bastide.server.tables.open_table import PRESENCE, OpenTable
from tests.server.client import ENTROPY, House, Player


def one_turn(player: Player) -> None:
    """Lays the tile at the first place and puts no piece."""
    player.play_first()
    player.play("pass")


def test_a_game_begins_when_every_seat_has_given_its_entropy(house: House) -> None:
    made = house.make("human", "open")
    with house.at(made["table"], made["seats"][0]["token"]) as red:
        assert red.state["status"] == "waiting"
        assert red.state["invite"] == made["invite"]
        red.do("ready", entropy=ENTROPY)
        joined = house.post(f"/api/tables/{made['table']}/join", invite=made["invite"], name="Bea").json()
        with house.at(made["table"], joined["token"]) as blue:
            blue.do("ready", entropy=ENTROPY)
            red.seen(blue.state["seq"])
        assert red.state["status"] == "running"
        assert red.state["invite"] is None
        assert [seat["name"] for seat in red.state["seats"]] == ["red", "Bea"]


def test_everybody_gets_the_state_after_a_move(house: House) -> None:
    with house.two() as (red, blue):
        tile = red.game["tile"]
        state = red.play_first()
        assert blue.seen(state["seq"])["game"]["tiles"][-1] == state["game"]["tiles"][-1]
        assert state["game"]["tiles"][-1]["tile"] == tile
        assert red.game["question"]["kind"] == "spot"
        assert blue.game["question"] is None
        assert blue.game["prompt"] == "deploy"


def test_actions_come_in_parts(house: House) -> None:
    with house.two() as (red, _):
        place = red.game["question"]["actions"][0]
        assert place["text"] == f"place {place['tile']} {place['cell'][0]},{place['cell'][1]} {place['turn'] * 90}"
        red.play_first()
        deploy = next(a for a in red.game["question"]["actions"] if a["verb"] == "deploy")
        assert deploy["text"].endswith(deploy["spot"])
        assert deploy["piece"] == "follower"
        assert red.game["question"]["pass"]


def test_the_log_grows_entry_by_entry(house: House) -> None:
    with house.two() as (red, _):
        one_turn(red)
        assert [entry["n"] for entry in red.log] == list(range(len(red.log)))
        assert [entry["action"].split()[0] for entry in red.log] == ["draw", "place", "pass", "draw"]


def test_own_actions_can_be_undone_until_a_tile_is_drawn(house: House) -> None:
    with house.two() as (red, blue):
        before = red.state["game"]
        assert red.state["undo"] == 0
        red.play_first()
        assert red.state["undo"] == 1
        after = red.do("undo", seq=red.state["seq"])["game"]
        assert after["tiles"] == before["tiles"]
        assert after["question"]["actions"] == before["question"]["actions"]
        assert [entry["action"] for entry in red.log] == [entry["action"] for entry in before["log"]]
        one_turn(red)
        assert red.state["undo"] == 0
        assert red.ask("undo", seq=red.state["seq"])["code"] == "turn"
        blue.seen(red.state["seq"])
        assert blue.ask("undo", seq=blue.state["seq"])["code"] == "undo"


def test_a_take_back_needs_the_others_to_agree(house: House) -> None:
    with house.two() as (red, blue):
        first = red.game["tile"]
        one_turn(red)
        red.do("takeback", seq=red.state["seq"])
        while not blue.state["offer"]:
            blue.until("state")
        assert blue.state["offer"] == {"kind": "takeback", "seat": 0, "waiting": [1]}
        assert red.ask("takeback", seq=red.state["seq"])["code"] == "offer"
        blue.do("answer", seq=blue.state["seq"], agree=True)
        red.seen(blue.state["seq"])
        assert red.game["tile"] == first
        assert red.game["question"] is not None
        assert red.state["offer"] is None


def test_a_refused_take_back_changes_nothing(house: House) -> None:
    with house.two() as (red, blue):
        one_turn(red)
        state = red.do("takeback", seq=red.state["seq"])
        blue.seen(state["seq"])
        blue.do("answer", seq=state["seq"], agree=False)
        while red.until("state")["offer"] is not None:
            pass
        assert red.state["seq"] == state["seq"]


def test_bots_agree_to_a_take_back(house: House) -> None:
    made = house.make("human", "random")
    with house.at(made["table"], made["seats"][0]["token"]) as red:
        red.do("ready", entropy=ENTROPY)
        first = red.game["tile"]
        one_turn(red)
        red.await_question()
        red.do("takeback", seq=red.state["seq"])
        assert red.game["tile"] == first
        assert len(red.game["tiles"]) == 1


def test_who_resigns_loses(house: House) -> None:
    with house.two() as (red, blue):
        red.do("resign")
        blue.seen(red.state["seq"])
        assert blue.state["status"] == "over"
        assert blue.game["outcome"]["reason"] == "resigned"
        assert blue.game["outcome"]["winners"] == [1]
        assert blue.state["seats"][0]["out"] == "resigned"
        assert red.ask("play", seq=red.state["seq"], action="pass")["code"] == "over"


def test_the_others_play_on_when_one_of_three_resigns(house: House) -> None:
    made = house.make("human", "human", "human")
    tokens = [seat["token"] for seat in made["seats"]]
    with house.at(made["table"], tokens[0]) as red, house.at(made["table"], tokens[1]) as blue:
        with house.at(made["table"], tokens[2]) as green:
            for player in (red, blue, green):
                player.do("ready", entropy=ENTROPY)
        red.seen(2)
        red.do("resign")
        game = blue.await_question()
        assert blue.state["status"] == "running"
        assert game["turn"] == 1
        assert len(game["tiles"]) == 2  # a bot has played for red


def test_a_rematch_has_the_same_people_and_the_next_one_begins(house: House) -> None:
    made = house.make("human", "human")
    tokens = [seat["token"] for seat in made["seats"]]
    with house.at(made["table"], tokens[0]) as red, house.at(made["table"], tokens[1]) as blue:
        red.do("ready", entropy=ENTROPY)
        blue.do("ready", entropy=ENTROPY)
        blue.do("resign")
        blue.do("rematch")
        while not red.state.get("next"):
            red.until("state")
        again = red.state["next"]
    with house.at(again, tokens[0]) as red:
        assert red.state["mine"] == [1]
        assert red.state["status"] == "waiting"


def test_chat_reaches_everybody_and_is_kept(house: House) -> None:
    with house.two() as (red, blue):
        red.do("chat", text="good luck <b>")
        said = blue.until("chat")
        assert (said["seat"], said["name"], said["text"], said["n"]) == (0, "red", "good luck <b>", 1)
        blue.do("emote", name="thanks")
        assert red.until("chat")["emote"] == "thanks"
        assert [message["seat"] for message in red.received if message["type"] == "chat"] == [0, 1]
        with house.at(red.table) as watching:
            welcome = watching.received[0]
            assert [line["text"] for line in welcome["chat"]] == ["good luck <b>", ""]
            assert watching.state["mine"] == []
            assert watching.game["question"] is None


def test_the_others_are_told_when_a_browser_leaves_its_seat(house: House) -> None:
    made = house.make("human", "open")
    house.client.cookies.clear()
    joined = house.client.post(
        f"/api/tables/{made['table']}/join", json={"invite": made["invite"], "name": "Bob"}
    ).json()
    key = str(house.client.cookies["bastide"])
    with house.at(made["table"], made["seats"][0]["token"]) as red, house.at(made["table"], joined["token"]) as blue:
        red.do("ready", entropy=ENTROPY)
        blue.do("ready", entropy=ENTROPY)
        for _ in range(2):  # once is told once
            house.client.cookies.set("bastide", key)
            answer = house.client.post(f"/api/tables/{made['table']}/leave")
            assert answer.status_code == 204
        said = red.until("chat")
        assert (said["seat"], said["emote"], said["system"]) == (1, "left", True)
        assert said["text"] == "Bob has left the table."
        blue.do("chat", text="pity")
        assert red.until("chat")["n"] == 2


def test_presence_tells_who_is_there(house: House) -> None:
    with house.two() as (red, blue), house.at(red.table):
        message = red.until("presence")
        while message["watching"] == 0:
            message = red.until("presence")
        assert message == {"type": "presence", "online": [True, True], "watching": 1}
        assert blue.state["seats"][0]["online"]


def test_a_person_plays_a_whole_game_against_a_bot(house: House) -> None:
    made = house.make("human", "greedy")
    with house.at(made["table"], made["seats"][0]["token"]) as red:
        red.do("ready", entropy=ENTROPY)
        while red.state["status"] != "over":
            red.await_question()
            if red.state["status"] != "over":
                red.play_first()
        outcome = red.game["outcome"]
        assert outcome["reason"] == "tiles"
        by_source = [sum(source["points"][seat] for source in red.game["sources"]) for seat in (0, 1)]
        assert by_source == outcome["scores"] == red.game["scores"]
        assert red.state["fair"]["seed"]
        assert {"type": "thinking"}.items() <= next(m for m in red.received if m["type"] == "thinking").items()


def test_two_seats_at_one_screen(house: House) -> None:
    made = house.client.post("/api/tables", json={"seats": [{"kind": "human"}, {"kind": "human"}]}).json()
    with house.client.websocket_connect(f"/api/tables/{made['table']}/socket") as socket:
        both = Player(socket, made["table"])
        both.hello()
        assert both.state["mine"] == [0, 1]
        assert both.ask("ready", entropy=ENTROPY)["code"] == "shape"
        both.do("ready", entropy=ENTROPY, seat=0)
        both.do("ready", entropy=ENTROPY, seat=1)
        assert both.state["seat"] == 0
        one_turn(both)
        assert both.state["seat"] == 1
        assert both.game["question"] is not None


def test_a_region_can_be_looked_at(house: House) -> None:
    with house.two() as (red, _):
        answer = red.ask("region", cell=[0, 0], spot="city N")
        assert (answer["kind"], answer["tiles"], answer["open"], answer["complete"]) == ("city", 1, 1, False)
        assert answer["spots"] == [{"cell": [0, 0], "spot": "city N"}]
        assert answer["prospect"]["now"] == 1
        assert (answer["prospect"]["finished"], answer["prospect"]["gaps"]) == (4, 1)
        assert red.ask("region", cell=[0, 0], spot="city S")["code"] == "illegal"
        fields = red.ask("regions", kind="field")["regions"]
        assert {spot["spot"] for field in fields for spot in field["spots"]} == {"field EL", "field ER"}
        assert len(red.ask("regions")["regions"]) == 4


def test_an_illegal_action_can_be_explained(house: House) -> None:
    with house.two() as (red, blue):
        tile = red.game["tile"]
        answer = red.ask("why", action=f"place {tile} 5,5 0")
        assert (answer["legal"], answer["reason"]) == (False, "apart")
        assert red.ask("why", action=red.game["question"]["actions"][0]["text"])["legal"]
        assert blue.ask("why", action=f"place {tile} 5,5 0")["code"] == "turn"


def test_a_question_names_its_rules(house: House) -> None:
    """Those of the question itself, then those of the pieces and places that are offered."""
    with house.two(modules=["wheel_of_fortune", "inns_and_cathedrals"], draws=["U"]) as (red, _):
        assert red.game["question"]["rules"] == ["BASE-6", "BASE-7"]
        red.play_first()
        assert red.game["question"]["rules"] == ["BASE-9", "BASE-10", "INNS-2", "WHEEL-10", "WHEEL-11"]


def test_a_crowd_that_comes_is_told_of_a_few_times() -> None:
    """Each of 500 who came told all others: 90,000 messages."""

    class Watcher:
        seats: Sequence[int] = ()

        def __init__(self) -> None:
            self.told: list[Outgoing] = []

        def changed(self) -> None:
            raise AssertionError("the table is the same")

        def tell(self, message: Outgoing) -> None:
            self.told.append(message)

        def recheck_seats(self) -> None:
            raise AssertionError("the holders are the same")

    async def come() -> list[Watcher]:
        table, crowd = OpenTable("x"), [Watcher() for _ in range(500)]
        for watcher in crowd:
            table.join(watcher)
            table.tell_presence()
        await asyncio.sleep(2 * PRESENCE)
        return crowd

    crowd = asyncio.run(come())
    assert sum(len(watcher.told) for watcher in crowd) == 501  # the first one is told at once
    assert all(watcher.told[-1] == Presence(online=[], watching=500) for watcher in crowd)
