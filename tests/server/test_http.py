"""Setting up and looking back: catalogue, drawings, seats, links, lists, replays, records, positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from bastide.notation.record import read_record
from bastide.notation.replay import replay
from bastide.rules.registry import presets, specs
from bastide.server.app import create_app
from bastide.server.browser.files import ENGINE
from bastide.server.content.pages import ABSENT
from bastide.server.settings import Settings
from tests.server.client import ENTROPY, House, Player

HUMANS = [{"kind": "human"}, {"kind": "human"}]
PUZZLE = """bastide 1
title Close the city
players red blue
draws scripted
goal Score 4 points at once

red: draw E
"""


# --- catalogue


def test_the_catalogue_has_everything_that_can_be_played(house: House) -> None:
    found = house.get("/api/catalogue").json()
    assert [module["name"] for module in found["modules"]] == list(specs())
    assert [preset["name"] for preset in found["presets"]] == list(presets())
    assert "greedy" in found["bots"]
    base = next(module for module in found["modules"] if module["name"] == "base")
    assert base["texts"]["fr"]["name"] == "Jeu de base"
    assert {"name": "hand", "values": [0, 3], "rule": "BASE-29"} in base["options"]
    assert base["rules"] > 20


def test_what_does_not_change_is_not_sent_twice(house: House) -> None:
    first = house.get("/api/catalogue")
    assert house.get("/api/catalogue", **{"if-none-match": first.headers["etag"]}).status_code == 304
    plain = house.get("/api/catalogue", **{"accept-encoding": "identity"})
    assert plain.content == first.content
    assert int(first.headers["content-length"]) < len(plain.content)


def test_rules_by_id(house: House) -> None:
    rule = house.get("/api/rules/BASE-12").json()
    assert (rule["id"], rule["module"]) == ("BASE-12", "base")
    assert rule in house.get("/api/rules?modules=base").json()
    assert house.get("/api/rules/BASE-999").status_code == 404
    french = house.get("/api/rules/BASE-12?language=fr").json()
    assert french["text"].startswith("L’ordre compte : tuile, partisan, évaluation, retour.")
    assert french in house.get("/api/rules?modules=base&language=fr").json()
    assert house.get("/api/rules?language=de").json()["message"] == "language: expected one of en, fr, got 'de'"
    assert house.get("/api/rules?modules=nothing").json()["code"] == "module"


@pytest.mark.parametrize("preset", list(presets()))
def test_presets_can_be_played(house: House, preset: str) -> None:
    chosen = house.post("/api/choice", preset=preset).json()
    assert chosen["tiles"] > 70
    assert chosen["modules"][0] == "base" or len(chosen["modules"]) == 1
    made = house.make("human", "human", preset=preset)
    assert house.get(f"/api/tables/{made['table']}").json()["modules"] == chosen["modules"]


def test_drawings_show_every_tile_and_piece_in_play(house: House) -> None:
    chosen = house.post("/api/choice", modules=["wheel_of_fortune", "inns_and_cathedrals"]).json()
    data = house.get(chosen["drawings"]["data"]).json()
    sheet = house.get(chosen["drawings"]["themes"]["day"]).text
    assert sheet.startswith("<svg ")
    for tile, drawn in data["tiles"].items():
        assert f'<symbol id="t-{tile}"' in sheet
        assert all(len(segment["names"]) == 4 and segment["spots"] for segment in drawn["segments"])
    for piece in chosen["pieces"]:
        assert piece in data["pieces"]
        assert f'id="f-{piece}-7"' in sheet
    assert house.get("/api/drawings/noon.svg").json()["code"] == "option"
    assert house.get("/api/drawings/day.png").json()["code"] == "table"


@pytest.mark.parametrize("module", list(specs()))
def test_every_module_has_a_picture(house: House, module: str) -> None:
    picture = house.get(f"/api/pictures/{module}.svg?theme=night")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.count("<use") > 10


def test_pictures_that_do_not_exist(house: House) -> None:
    assert house.get("/api/pictures/nothing.svg").json()["code"] == "module"
    assert house.get("/api/pictures/base.gif").json()["code"] == "table"
    assert house.get("/api/pictures/base.svg?theme=noon").json()["code"] == "option"


@pytest.mark.parametrize("module", [spec.name for spec in specs().values() if spec.standalone])
def test_drawings_know_the_spots_of_the_engine(house: House, module: str) -> None:
    """Whatever can be named in an action on a tile can be found in its drawing."""
    with house.two(modules=[module]) as (red, blue):
        data = house.get(red.state["drawings"]["data"]).json()["tiles"]
        for player in (red, blue, red, blue):
            player.await_question()
            player.play_first()
            while player.game["question"]:
                for action in player.game["question"]["actions"]:
                    if "cell" in action and "spot" in action:
                        laid = next(tile for tile in player.game["tiles"] if tile["cell"] == action["cell"])
                        drawn = data[laid["tile"]]
                        names = {segment["names"][laid["turn"]] for segment in drawn["segments"]}
                        assert action["spot"] in names | drawn["places"].keys()
                player.play(player.game["question"]["actions"][-1]["text"])


# --- seats and links


def test_the_cookie_is_for_the_server_alone(house: House) -> None:
    answer = house.post("/api/tables", seats=HUMANS)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("bastide=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))


def test_a_browser_finds_its_tables_again(house: House) -> None:
    house.client.cookies.clear()
    tables = [house.client.post("/api/tables", json={"seats": HUMANS, "title": title}).json() for title in "ab"]
    found = house.client.get("/api/tables").json()["tables"]
    assert [table["title"] for table in found] == ["b", "a"]
    assert found[0]["mine"] == [0, 1]
    assert house.client.post(f"/api/tables/{tables[0]['table']}/leave").status_code == 204
    assert [table["title"] for table in house.client.get("/api/tables").json()["tables"]] == ["b"]
    assert house.get("/api/tables").json() == {"tables": []}


def test_a_seat_can_be_played_from_another_browser_by_its_link(house: House) -> None:
    made = house.make("human", "human")
    token = made["seats"][1]["token"]
    assert made["seats"][1]["link"] == f"/table/{made['table']}#seat={token}"
    entered = house.post(f"/api/tables/{made['table']}/enter", token=token)
    assert entered.json() == {"table": made["table"], "seats": [1]}
    with house.client.websocket_connect(f"/api/tables/{made['table']}/socket") as socket:
        player = Player(socket, made["table"])
        assert player.hello()["mine"] == [1]


def test_tables_that_wait_for_me_come_first(house: House) -> None:
    house.client.cookies.clear()
    body = {"seats": [{"kind": "human"}, {"kind": "open"}]}
    mine, theirs = (house.client.post("/api/tables", json=body).json() for _ in range(2))
    with house.client.websocket_connect(f"/api/tables/{mine['table']}/socket") as socket:
        player = Player(socket, mine["table"])
        player.hello()
        player.do("ready", entropy=ENTROPY)
        key = house.client.cookies["bastide"]
        joined = house.post(f"/api/tables/{mine['table']}/join", invite=mine["invite"]).json()
        with house.at(mine["table"], joined["token"]) as other:
            other.do("ready", entropy=ENTROPY)
    house.client.cookies.set("bastide", key)
    found = house.client.get("/api/tables").json()["tables"]
    assert [table["table"] for table in found] == [mine["table"], theirs["table"]]
    assert (found[0]["decides"], found[0]["mine"], found[1]["status"]) == (0, [0], "waiting")


# --- looking back


def test_a_game_can_be_replayed_and_downloaded(house: House) -> None:
    with house.two() as (red, blue):
        for player in (red, blue, red):
            player.await_question()
            player.play_first()
            player.play(player.game["question"]["actions"][-1]["text"])
        red.seen(blue.state["seq"])
        path = f"/api/tables/{red.table}"
        told = house.get(f"{path}/replay").json()
        assert [step["n"] for step in told["steps"]] == list(range(len(red.log) + 1))
        assert [step["action"] for step in told["steps"][1:]] == [entry["action"] for entry in red.log]
        assert told["steps"][-1]["laid"] == len(told["tiles"]) == 4
        assert told["steps"][-1]["figures"] == red.game["figures"]
        record = house.get(f"{path}/record")
        assert record.headers["content-disposition"].startswith("attachment")
        assert replay(read_record(record.text)).scores == tuple(red.game["scores"])
        part = house.get(f"{path}/record?at=2").text
        assert len(replay(read_record(part)).history) == 2


def test_a_hidden_hand_cannot_be_downloaded_while_the_game_runs(house: House) -> None:
    with house.two(options={"hand": 3}) as (red, _):
        assert house.get(f"/api/tables/{red.table}/record").json()["code"] == "secret"
        steps = house.get(f"/api/tables/{red.table}/replay").json()["steps"]
        assert {step["action"] for step in steps[1:]} == {"draw ?"}
        red.do("resign")
        assert house.get(f"/api/tables/{red.table}/record").status_code == 200


def test_a_position_can_be_kept_shared_and_played(house: House) -> None:
    kept = house.post("/api/positions", record=PUZZLE, draws=["E", "U"], title="Mine").json()
    assert kept == house.post("/api/positions", record=PUZZLE, draws=["E", "U"], title="Mine").json()
    shown = house.get(f"/api/positions/{kept['position']}").json()
    assert (shown["title"], shown["goal"], shown["draws"]) == ("Mine", "Score 4 points at once", 2)
    assert shown["replay"]["steps"][-1]["tile"] == "E"
    with house.two(position=kept["position"]) as (red, blue):
        assert (red.state["title"], red.state["goal"]) == ("Mine", "Score 4 points at once")
        assert red.game["tile"] == "E"
        red.play("place E 0,-1 180")
        red.play("deploy follower 0,-1 city S")
        assert red.game["scores"] == [4, 0]
        blue.await_question()
        assert blue.game["tile"] == "E"
        blue.play_first()
        blue.play("pass")
        red.await_question()
        assert red.game["tile"] == "U"
        red.play_first()
        red.play("pass")
        assert red.state["status"] == "over"
        assert red.game["outcome"]["reason"] == "stopped"
        assert red.log[-1]["events"][-1]["event"] == "ended"


def test_who_gives_a_puzzle_up_does_not_learn_its_other_draws(house: House) -> None:
    kept = house.post("/api/positions", record=PUZZLE, draws=["E", "U"]).json()
    with house.two(position=kept["position"]) as (red, _):
        red.do("resign")
        told = house.get(f"/api/tables/{red.table}/log").json()
    assert (told["draws"], [line["text"] for line in told["lines"]]) == ([], ["begin", "resign 0"])


def test_a_puzzle_is_made_from_the_middle_of_an_ordinary_game(house: House) -> None:
    """Its draws are fixed from there on; nothing says so in the record that was played."""
    record = "bastide 1\nplayers red blue\n\nred: draw E; place E 0,-1 180; pass\nblue: draw D\n"
    kept = house.post("/api/positions", record=record, draws=["U", "V"]).json()
    shown = house.get(f"/api/positions/{kept['position']}").json()
    assert (shown["draws"], shown["replay"]["steps"][-1]["tile"]) == (2, "D")
    with house.two(position=kept["position"]) as (red, blue):
        assert (blue.state["rules"]["scripted"], blue.game["tile"]) == (True, "D")
        blue.play_first()
        blue.play("pass")
        red.await_question()
        assert red.game["tile"] == "U"


def test_other_tiles_lie_at_the_start(house: House) -> None:
    start = [{"tile": "E", "cell": [0, 0], "turn": 2}, {"tile": "E", "cell": [0, 1], "turn": 0}]
    with house.two(start=start, draws=["V"]) as (red, _):
        assert [tile["tile"] for tile in red.game["tiles"]] == ["E", "E"]
        assert red.game["tile"] == "V"


# --- the page


def test_the_page_is_a_sentence_until_it_is_built(house: House) -> None:
    answer = house.get("/table/abc")
    assert (answer.status_code, answer.text) == (200, ABSENT)
    assert "script-src 'self' 'wasm-unsafe-eval';" in answer.headers["content-security-policy"]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Bastide</title>" + " " * 1000)
    (folder / "assets/app-1a2b.js").write_text("console.log(1)")
    (folder / "manifest.webmanifest").write_text("{}")
    return folder


def test_the_built_page(database: str, built: Path) -> None:
    with TestClient(create_app(Settings(database=database, page=built))) as client:
        page = client.get("/")
        assert page.text == client.get("/table/xyz").text
        assert (page.headers["cache-control"], page.headers["content-encoding"]) == ("no-cache", "gzip")
        assert client.get("/", headers={"if-none-match": page.headers["etag"]}).status_code == 304
        script = client.get("/assets/app-1a2b.js")
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        assert client.get("/manifest.webmanifest").headers["content-type"] == "application/manifest+json"
        assert client.get("/../../app.py").text == page.text


def test_the_engine_for_browsers_is_served_where_it_was_built(house: House) -> None:
    """`/engine/nothing` is no address of the page: a worker would start the page's HTML as a script."""
    assert house.get("/engine/nothing").status_code == 404
    if not ENGINE.is_dir():
        pytest.skip("the engine for browsers has not been built: scripts/engine.py")
    script = house.get("/engine/pyodide.js")
    assert (script.status_code, script.headers["content-encoding"]) == (200, "gzip")
    assert script.headers["content-type"].startswith("text/javascript")
    assert len(house.get("/engine/bastide.packed").content) > 100_000


def test_the_server_is_well(house: House) -> None:
    assert house.get("/healthz").json() == {"ok": True}


def test_every_answer_forbids_foreign_scripts(house: House) -> None:
    for path in ("/", "/healthz", "/api/tables/nowhere", "/api/nothing", "/api/schema/openapi.json"):
        headers: Any = house.get(path).headers
        assert "script-src 'self' 'wasm-unsafe-eval';" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("packing", ["gzip", "identity"])
def test_a_long_answer_is_compressed_for_who_reads_that(house: House, packing: str) -> None:
    """It is made beside the loop; nobody else sees a difference."""
    with house.two() as (red, _):
        red.play_first()
    answer = house.get(f"/api/tables/{red.table}/replay", **{"accept-encoding": packing})
    assert answer.headers.get("content-encoding", "identity") == packing
    assert answer.headers["content-type"] == "application/json"
    assert len(answer.json()["steps"]) > 2
