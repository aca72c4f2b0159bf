"""A few inputs that nobody meant, of every kind; then servers with a fault, which they find."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from tests.server.fuzz.__main__ import QUICK, one_batch
from tests.server.fuzz.ground import PATIENCE, Ground, ground
from tests.server.fuzz.messages import fuzz_messages, knock
from tests.server.fuzz.mutants import Mutants
from tests.server.fuzz.records import fuzz_records
from tests.server.fuzz.requests import fuzz_requests
from tests.server.fuzz.witness import logged

FEW, SEED = 200, 1


@pytest.mark.parametrize("fuzz", [fuzz_messages, fuzz_requests, fuzz_records])
def test_the_server_stands_what_nobody_meant(fuzz: Callable[[Ground, int, int], int]) -> None:
    with ground() as attacked:
        sent = fuzz(attacked, FEW, SEED)
    assert attacked.faults == []
    assert sent == FEW


@pytest.mark.parametrize("kind", QUICK)
def test_the_server_stands_real_inputs_that_were_changed(kind: str) -> None:
    assert one_batch(kind, FEW, SEED, clever=False, patience=PATIENCE) == (FEW, [])


def test_the_same_seed_makes_the_same_inputs() -> None:
    one, other = (Mutants(SEED) for _ in range(2))
    message = {"type": "play", "seq": 3, "action": "place D 1,0 90"}
    assert [one.mangled(one.changed(message)) for _ in range(FEW)] == [
        other.mangled(other.changed(message)) for _ in range(FEW)
    ]


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
        (fuzz_messages, "bastide.server.tables.moves.say", breaks_later, "logged: bastide.server"),
        (fuzz_messages, "bastide.server.tables.moves.check_turn", lets_everybody_play, "stored ["),
        (fuzz_requests, "bastide.server.content.catalogue.resolve_choice", breaks, "status 500"),
        (fuzz_records, "bastide.server.tables.setup.read_record", breaks, "status 500"),
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


@pytest.mark.parametrize(
    ("kind", "broken", "fault", "found"),
    [
        ("messages", "bastide.server.tables.moves.say", breaks_later, "logged: bastide.server"),
        ("messages", "bastide.server.tables.moves.check_turn", lets_everybody_play, "stored ["),
        ("requests", "bastide.server.content.catalogue.resolve_choice", breaks, "status 500"),
        ("save files", "bastide.server.tables.setup.read_record", breaks, "status 500"),
    ],
)
def test_a_fault_is_found_by_changed_inputs_too(
    monkeypatch: pytest.MonkeyPatch, kind: str, broken: str, fault: Callable[..., Any], found: str
) -> None:
    monkeypatch.setattr(broken, fault)
    _, faults = one_batch(kind, FEW, SEED, clever=False, patience=PATIENCE)
    assert any(found in told for told in faults), faults


def test_what_is_logged_is_heard_whatever_the_program_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger(), "level", logging.CRITICAL)
    with logged() as log:
        logging.getLogger("bastide.server").error("a fault")
    assert log.bad == ["bastide.server: a fault"]


def test_a_hang_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    async def hangs_once(*_: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 1:
            await asyncio.Event().wait()
        return 0

    monkeypatch.setattr("bastide.server.tables.moves.say", hangs_once)
    with ground(patience=8) as attacked:
        fuzz_messages(attacked, FEW, SEED)
    assert any("no answer on the socket" in told for told in attacked.faults), attacked.faults


def test_a_fault_before_the_welcome_is_found_and_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    with ground() as attacked:
        table = attacked.make("human", "human")["table"]
        monkeypatch.setattr("bastide.server.tables.lobby.held_seats", breaks_later)
        knock(attacked, table, '{"type": "hello", "version": 2}')
    told = "\n".join(attacked.faults)
    assert "the socket was closed: received 1011" in told
    assert "logged: bastide.server: a socket could not be served" in told
