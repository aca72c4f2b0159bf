"""The end as a moment: who won and by how much, the landscape in sight, and a picture of it by one tap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.conftest import PHONE
from tests.web.hand import Hand

Visit = Callable[..., Hand]
FEW = "+".join(f"{name}=0" for name in "BCEFGHIJKLMNOPQRSTVWX")  # tiles D, U and A only: a short game
PNG = b"\x89PNG\r\n\x1a\n"
WIDE = 1600  # pixels of the picture


def finish(hand: Hand) -> None:
    """A short game of two players at one screen, up to its result."""
    seats = [{"kind": "human", "name": name} for name in ("Ann", "Bob")]
    wish = {"seats": seats, "options": {"tile_counts": FEW}}
    hand.page.goto(hand.api("POST", "/api/tables", data=wish)["link"])
    while hand.asked() != "over":
        hand.answer()
    if hand.page.get_by_role("button", name="To the result").count():
        hand.page.get_by_role("button", name="To the result").click()


def picture(hand: Hand, folder: Path) -> bytes:
    """What one tap on the button brings."""
    with hand.page.expect_download() as download:
        hand.page.get_by_role("button", name="Picture to share").click()
    path: Path = folder / download.value.suggested_filename
    download.value.save_as(path)
    assert path.suffix == ".png"
    return path.read_bytes()


def size(png: bytes) -> tuple[int, int]:
    """Width and height, from the head of the file."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_the_result_says_by_how_much_and_leaves_the_landscape_in_sight(
    visit: Visit, device: dict[str, object], tmp_path: Path
) -> None:
    hand = visit(**device)
    finish(hand)
    first, second = sorted(hand.state()["game"]["scores"], reverse=True)
    lead = first - second
    said = f"{lead} point{'s' if lead > 1 else ''} ahead of" if lead else f"with {first} points each"
    assert hand.page.locator(".margin").inner_text().startswith(said)
    land, card = (hand.page.locator(name).first.bounding_box() for name in ("#board svg", ".final"))
    assert land
    assert card
    assert land["y"] + land["height"] <= card["y"] + 1
    if not device:
        finished = picture(hand, tmp_path)
        assert finished.startswith(PNG)
        assert size(finished)[0] == WIDE
        hand.page.get_by_role("link", name="Replay").click()
        hand.page.get_by_role("button", name="Share").click()
        begun = picture(hand, tmp_path)
        assert begun.startswith(PNG)
        assert size(begun)[1] < size(finished)[1]  # one tile lies, not a whole landscape
