"""What a messenger shows of a link: tags about the table for programs, the page as it is for browsers."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from litestar.testing import TestClient

from bastide.server.app import create_app
from bastide.server.settings import Settings

PNG = b"\x89PNG\r\n\x1a\n"
PAGE = "<html><head><title>Bastide</title></head><body></body></html>"


def tags(text: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'property="og:([\w:]+)" content="([^"]*)"', text)}


def test_a_messenger_reads_who_invites_to_what_and_gets_a_picture(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), page=tmp_path)
    with TestClient(create_app(settings)) as client:
        seats = [{"kind": "human", "name": 'Ann "<b>" & Co'}, {"kind": "open"}]
        made = client.post("/api/tables", json={"seats": seats, "modules": ["river"]}).json()
        page = client.get(made["link"]).text
        found = tags(page)
        assert found["title"] == 'Ann "<b>" & Co invites you to play'
        assert found["description"] == "Base game, The River (the Big Box of 2014)"
        assert found["url"].endswith(made["link"])
        assert "<b>" not in page
        picture = client.get(found["image"])
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(PNG)

        french = tags(client.get(made["link"], headers={"accept-language": "fr-FR,fr;q=0.9"}).text)
        assert french["title"] == 'Ann "<b>" & Co vous invite à jouer'
        assert client.get(made["link"], headers={"sec-fetch-mode": "navigate"}).text == PAGE  # a browser
        assert client.get("/table/000000000000").text == PAGE  # no such table
        assert client.get("/").text == PAGE


def test_a_messenger_reads_which_house_rules_are_played(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    with TestClient(create_app(Settings(database=str(tmp_path / "tables.sqlite3"), page=tmp_path))) as client:
        seats = [{"kind": "human"}, {"kind": "open"}]
        options = {"shields": "off", "followers": 5}
        made = client.post("/api/tables", json={"seats": seats, "edition": "classic", "options": options}).json()
        french = {"accept-language": "fr"}
        described = tags(client.get(made["link"]).text)["description"]
        assert described == "Base game (the classic edition). Shields count for nothing. Followers each: 5."
        in_french = tags(client.get(made["link"], headers=french).text)["description"]
        assert in_french.startswith("Jeu de base (l’édition classique). ")
        own = client.post("/api/tables", json={"seats": seats, "modules": ["hunters_and_gatherers"]}).json()
        assert tags(client.get(own["link"]).text)["description"] == "Hunters and Gatherers"
