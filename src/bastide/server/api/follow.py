"""How a program follows a table over its socket: a whole state, then changes (docs/protocol.md)."""

from __future__ import annotations

from typing import Any

Data = dict[str, Any]
PARTS = ("game", "fair")  # of which a change has only what is new in them
SPLICED = ("tiles", "figures", "tokens", "discards", "log", "sources")  # lists of which it has only that


def follow(state: Data | None, message: Data) -> Data | None:
    """The state after a message `state` or `change`; None if one between them is missing: then ask for `state`."""
    if message["type"] == "state":
        return message
    if state is None or message["after"] != state["n"]:
        return None
    new = {**state, **message, "type": "state"}
    del new["after"]
    for name in PARTS:
        if name in message:
            new[name] = merge(state[name], message[name])
    return new


def merge(old: Data, change: Data) -> Data:
    """A part of a state with what is new in it."""
    new = {**old, **change}
    for name in SPLICED:
        if name in change:
            at, drop, add = (change[name][word] for word in ("at", "drop", "add"))
            new[name] = [*old[name][:at], *add, *old[name][at + drop :]]
    return new
