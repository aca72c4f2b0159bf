"""A few inputs that nobody meant, of every kind; then servers with a fault, which they find."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.server.fuzz.ground import Ground, ground
from tests.server.fuzz.messages import fuzz_messages, knock
from tests.server.fuzz.records import fuzz_records
from tests.server.fuzz.requests import fuzz_requests

FEW, SEED = 200, 1


@pytest.mark.parametrize("fuzz", [fuzz_messages, fuzz_requests, fuzz_records])
def test_the_server_stands_what_nobody_meant(fuzz: Callable[[Ground, int, int], int]) -> None:
    with ground() as attacked:
        sent = fuzz(attacked, FEW, SEED)
    assert attacked.faults == []
    assert sent == FEW


# --- the check itself: each of these servers has one fault


def breaks(*_: Any, **__: Any) -> Any:
    raise KeyError("a fault")


async def breaks_later(*_: Any, **__: Any) -> Any:
    raise KeyError("a fault")


async def lets_everybody_play(*_: Any) -> None:
    """Instead of looking whose turn it is."""


@pytest.mark.parametrize(
    ("fuzz", "broken", "fault", "found"),
    [
        (fuzz_messages, "bastide.server.moves.say", breaks_later, "logged: bastide.server"),
        (fuzz_messages, "bastide.server.moves.check_turn", lets_everybody_play, "stored ["),
        (fuzz_requests, "bastide.server.catalogue.resolve_choice", breaks, "status 500"),
        (fuzz_records, "bastide.server.setup.read_record", breaks, "status 500"),
    ],
)
def test_a_fault_is_found(
    monkeypatch: pytest.MonkeyPatch,
    fuzz: Callable[[Ground, int, int], int],
    broken: str,
    fault: Callable[..., Any],
    found: str,
) -> None:
    monkeypatch.setattr(broken, fault)
    with ground() as attacked:
        fuzz(attacked, FEW, SEED)
    assert any(found in told for told in attacked.faults), attacked.faults


def test_a_hang_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    async def hangs_once(*_: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 1:
            await asyncio.Event().wait()
        return 0

    monkeypatch.setattr("bastide.server.moves.say", hangs_once)
    with ground(patience=8) as attacked:
        fuzz_messages(attacked, FEW, SEED)
    assert any("no answer on the socket" in told for told in attacked.faults), attacked.faults


def test_a_fault_before_the_welcome_is_found_and_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    with ground() as attacked:
        table = attacked.make("human", "human")["table"]
        monkeypatch.setattr("bastide.server.lobby.held_seats", breaks_later)
        knock(attacked, table, '{"type": "hello", "version": 2}')
    told = "\n".join(attacked.faults)
    assert "the socket was closed: received 1011" in told
    assert "logged: bastide.server: a socket could not be served" in told
