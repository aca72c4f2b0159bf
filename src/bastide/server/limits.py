"""How much one address may ask for. Whoever sits at the machine itself (and a load test there) is not limited."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address

from bastide.server.clock import SECOND
from bastide.server.refusal import Refusal

HOUR = 3600 * SECOND
ADDRESSES = 10_000  # remembered at most; the longest unheard-of are forgotten first


class Limits:
    """Counts tables and sockets by address, in this process."""

    def __init__(self, tables_per_hour: int, sockets: int, now: Callable[[], int]) -> None:
        self._most = {"tables": tables_per_hour, "sockets": sockets}
        self._now = now
        self._made: OrderedDict[str, deque[int]] = OrderedDict()  # moments at which tables were made
        self._open: dict[str, int] = {}

    def count_table(self, address: str) -> None:
        """Somebody makes a table; refused if it is one too many."""
        if is_local(address):
            return
        made = self._made.setdefault(address, deque())
        self._made.move_to_end(address)
        while len(self._made) > ADDRESSES:
            self._made.popitem(last=False)
        while made and made[0] <= self._now() - HOUR:
            made.popleft()
        if len(made) >= self._most["tables"]:
            raise Refusal("rate", f"at most {self._most['tables']} new tables or positions an hour; wait a little")
        made.append(self._now())

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """Somebody has a socket open; refused if it is one too many."""
        if is_local(address):
            yield
            return
        if self._open.get(address, 0) >= self._most["sockets"]:
            raise Refusal("rate", f"at most {self._most['sockets']} sockets at once; close another table first")
        self._open[address] = self._open.get(address, 0) + 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


def is_local(address: str) -> bool:
    """Is this an address of the machine itself?"""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
