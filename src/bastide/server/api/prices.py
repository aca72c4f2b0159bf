"""What work costs. A unit is about a millisecond of one core, estimated; what is written or drawn weighs more.

Routes name their price (`opt={"price": "choice"}`), messages of the socket have that of their type.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

from bastide.server.api.refusal import Refusal
from bastide.server.tables.clock import SECOND

CLIENTS = 10_000  # remembered at most; the longest unheard-of are forgotten first
BURST = 20  # seconds of work that one may ask for at once
V6_HOME = 64  # bits of an address that one household has

PRICES = {
    # HTTP
    "catalogue": 1,
    "rules": 30,
    "choice": 30,
    "drawing": 2,
    "new drawing": 450,
    "picture": 2,
    "table": 50,
    "table of bots": 1000,  # nobody need be there while it plays
    "tables": 5,
    "seat": 10,
    "state": 5,
    "replay": 100,
    "record": 50,
    "log": 150,
    "analysis": 300,
    "position": 100,
    # the socket
    "hello": 10,
    "ready": 5,
    "link": 5,
    "chain": 5,
    "play": 5,
    "undo": 20,
    "takeback": 20,
    "answer": 10,
    "resign": 10,
    "rematch": 50,
    "chat": 100,
    "emote": 100,
    "aids": 4,
    "region": 4,
    "regions": 4,
    "why": 2,
    "ping": 1,
}


@dataclass
class Budget:
    """What a client has left, and what it has spent for what."""

    left: float
    at: int
    spent: Counter[str] = field(default_factory=Counter)


class Budgets:
    """A budget for each client: an address (of IPv6 its /64), a browser's key, a seat. In this process."""

    def __init__(self, a_second: int, now: Callable[[], int]) -> None:
        self.a_second = a_second
        self._now = now
        self._budgets: OrderedDict[str, Budget] = OrderedDict()

    def spend(self, clients: Sequence[str], what: str) -> None:
        """These clients, which are one and the same, ask for something; refused if one of them has spent too much."""
        price = PRICES[what]
        budgets = [self._budget(client) for client in clients if client]
        for budget in budgets:
            if budget.left < price:
                wait = ceil((price - budget.left) / self.a_second)
                raise Refusal("rate", f"this server was asked for too much at once; wait {wait} seconds")
        for budget in budgets:
            budget.left -= price
            budget.spent[what] += price

    def _budget(self, client: str) -> Budget:
        now, most = self._now(), self.a_second * BURST
        budget = self._budgets.setdefault(client, Budget(most, now))
        self._budgets.move_to_end(client)
        while len(self._budgets) > CLIENTS:
            self._budgets.popitem(last=False)
        budget.left = min(most, budget.left + (now - budget.at) * self.a_second / SECOND)
        budget.at = now
        return budget

    def top(self, count: int) -> list[tuple[str, Counter[str]]]:
        """Who has spent most since the server started, and for what."""
        found = sorted(self._budgets.items(), key=lambda entry: -entry[1].spent.total())
        return [(client, budget.spent) for client, budget in found[:count]]


@lru_cache(CLIENTS)
def client_of(address: str) -> str:
    """Whoever has this address: of IPv6 a household has a whole /64. No address is nobody."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, V6_HOME), strict=False))
    return str(found)


@lru_cache(CLIENTS)
def is_local(address: str) -> bool:
    """Is this an address of the machine itself?"""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback
