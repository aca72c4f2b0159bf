"""Starting a server: the address that is printed can be reached at once."""

from __future__ import annotations

import socket

import pytest

from bastide.errors import BastideError
from bastide.server.run import listen


def test_who_comes_before_the_server_has_begun_waits() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()) as early:
        early.sendall(b"hello")
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.recv(5) == b"hello"


def test_an_address_that_is_taken_is_refused() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BastideError, match=f"127.0.0.1:{port} cannot be used: Address already in use"):
            listen("127.0.0.1", port)
