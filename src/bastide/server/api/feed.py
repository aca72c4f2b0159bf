"""What is told of a table to all who hold the same seats: whole states and changes, each made and encoded once."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

import msgspec
from msgspec.structs import replace

from bastide.server.api.changes import Change, find_change
from bastide.server.api.outgoing import State

REMEMBERED = 20  # changes; whoever is further behind gets the whole state
SAME_MOMENT = 100  # ms within which a whole state is sent as it is: its clock is no older than that

encode = msgspec.json.Encoder().encode


class Feed:
    """The last state that those who hold the same seats were told, and the changes that led to it."""

    def __init__(self) -> None:
        self.n = 0  # of the last state
        self.fresh = False  # is it the table as it is now?
        self._state: State | None = None
        self._changes: deque[str] = deque(maxlen=REMEMBERED)
        self._whole = ""
        self._whole_at = self._whole_n = 0

    def update(self, state: State) -> None:
        """The table as it is now."""
        old, self._state, self.fresh = self._state, state, True
        if old is None or (old.game is None) != (state.game is None):
            self.n += 1
            self._changes.clear()  # a beginning is no change: everybody gets the whole state
            return
        found = find_change(old, state)
        if found:
            after, self.n = self.n, self.n + 1
            members = {**found, "seq": state.seq, "now": state.now}
            self._changes.append(encode(Change(n=self.n, after=after, **members)).decode())

    def news_after(self, n: int) -> Sequence[str] | None:
        """What leads from the nth state to the last one; none if that is not remembered."""
        missing = self.n - n
        if missing > len(self._changes):
            return None
        return list(islice(self._changes, len(self._changes) - missing, None))

    def whole(self) -> str:
        """The last state. Whoever comes within the same moment gets the same text."""
        state = self._state
        assert state is not None, "a feed is updated before it is told"
        if self._whole_n != self.n or state.now - self._whole_at > SAME_MOMENT:
            self._whole = encode(replace(state, n=self.n)).decode()
            self._whole_n, self._whole_at = self.n, state.now
        return self._whole
