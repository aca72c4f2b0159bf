"""Whether a request is meant for this server and comes from its own page (`Host`, `Origin`), and from which browser.

A name that somebody else controls may be pointed at a server in a private network (DNS rebinding): pages of that name
would then be pages of the server. So whoever comes from a private network must use an address, a local name, or a name
that BASTIDE_HOSTS lists.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection

from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import COOKIE, SECURE_COOKIE, is_secret

# Names that nobody outside can give away: https://www.rfc-editor.org/rfc/rfc6761 and what routers use at home.
LOCAL_NAMES = ("localhost", "local", "lan", "home", "internal", "home.arpa", "test")
NAT64 = IPv6Network("64:ff9b::/96")  # the last bits of these are an address of IPv4
V4_BITS = 32


Connection = ASGIConnection[Any, Any, Any, Any]


def is_secure(connection: Connection) -> bool:
    """Does it come over TLS, as far as is known?"""
    return connection.scope["scheme"] in ("https", "wss")


def browser_key(connection: Connection) -> str | None:
    """The key in a browser's cookie, if it has one."""
    key = connection.cookies.get(SECURE_COOKIE if is_secure(connection) else COOKIE)
    return key if is_secret(key) else None


def check_origin(connection: Connection, address: str, hosts: Collection[str], changes: bool = True) -> None:
    """Refuses what is meant for another server, and what a page of another site asks for in somebody's name."""
    host = connection.headers.get("host")
    if not is_host(host or ""):
        raise Refusal("origin", "expected NAME or NAME:PORT as the host that is called")
    if not known_host(host, address, hosts):
        raise Refusal("origin", f"this server is not known as {name_of(host or '')}; BASTIDE_HOSTS lists its names")
    if changes and not same_site(connection.headers.get("origin"), host, is_secure(connection)):
        raise Refusal("origin")


def same_site(origin: str | None, host: str | None, secure: bool = False) -> bool:
    """Does a request come from a page of this server? Programs that are no browsers send no origin."""
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:  # no address at all
        return False
    return parts.netloc == host and not (secure and parts.scheme == "http")


def known_host(host: str | None, address: str, listed: Collection[str]) -> bool:
    """May somebody at this address call the server by this name?"""
    name = name_of(host or "")
    if name in listed or not is_private(address):
        return True
    return "." not in name or is_address(name) or any(name.endswith(f".{local}") for local in LOCAL_NAMES)


def is_host(text: str) -> bool:
    """Is this a name or an address, perhaps with a port?"""
    try:
        _ = urlsplit(f"//{text}").port
    except ValueError:
        return False
    return True


def name_of(host: str) -> str:
    """The name in a `Host`, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return host


def is_address(name: str) -> bool:
    """Is this an address and no name?"""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_private(address: str) -> bool:
    """Is this an address of the machine itself or of a private network, or one that stands for many machines?"""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    carried = carried_address(found) if isinstance(found, IPv6Address) else None
    if carried is not None:
        return is_private(str(carried))
    return not found.is_global or found.is_multicast or (isinstance(found, IPv6Address) and found.is_site_local)


def carried_address(address: IPv6Address) -> IPv4Address | None:
    """The address of IPv4 to which one of IPv6 leads: written in it, or by a translator (NAT64, 6to4)."""
    if address in NAT64 or int(address) < 1 << V4_BITS:
        return IPv4Address(int(address) % (1 << V4_BITS))
    return address.ipv4_mapped or address.sixtofour
