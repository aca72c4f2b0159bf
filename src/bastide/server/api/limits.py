"""How much one client may ask for. Whoever sits at the machine itself (and a load test there) is not limited."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from bastide.server.api.prices import CLIENTS, Budgets, client_of, is_local
from bastide.server.api.refusal import Refusal
from bastide.server.tables.clock import SECOND

HOUR = 3600 * SECOND


class Limits:
    """Counts tables, sockets and work by client, in this process; knows who is banned or muted."""

    def __init__(
        self, tables_per_hour: int, sockets: int, budget: int, now: Callable[[], int], hosts: Sequence[str] = ()
    ) -> None:
        self.hosts = frozenset(hosts)  # names by which the server may be called from a private network
        self._most = {"tables": tables_per_hour, "sockets": sockets}
        self._now = now
        self._made: OrderedDict[str, deque[int]] = OrderedDict()  # moments at which tables were made
        self._open: dict[str, int] = {}
        self._budgets = Budgets(budget, now)
        self.banned: frozenset[str] = frozenset()  # clients that are not served,
        self.muted: frozenset[str] = frozenset()  # and clients and tables whose chat is not taken

    def check_ban(self, address: str) -> None:
        """Refuses whoever is banned."""
        if client_of(address) in self.banned:
            raise Refusal("banned")

    def check_mute(self, address: str, table: str) -> None:
        """Refuses what somebody says who is muted, or at a table that is."""
        if client_of(address) in self.muted or table in self.muted:
            raise Refusal("muted")

    def spend(self, address: str, what: str, others: Sequence[str] = ()) -> None:
        """Somebody asks for something that costs; `others` stand for the same one: a key, a seat."""
        if not is_local(address):
            self._budgets.spend([client_of(address), *others], what)

    def top(self, count: int) -> list[tuple[str, Counter[str]]]:
        """Who has spent most, and for what."""
        return self._budgets.top(count)

    def count_table(self, address: str) -> None:
        """Somebody makes a table; refused if it is one too many."""
        if is_local(address):
            return
        client = client_of(address)
        made = self._made.setdefault(client, deque())
        self._made.move_to_end(client)
        while len(self._made) > CLIENTS:
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
        client = client_of(address)
        if self._open.get(client, 0) >= self._most["sockets"]:
            raise Refusal("rate", f"at most {self._most['sockets']} sockets at once; close another table first")
        self._open[client] = self._open.get(client, 0) + 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
