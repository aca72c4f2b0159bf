"""The HTTP part of Web Push (docs/protocol.md): the server's key, and which browsers want to be called."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from bastide.server.api import responses
from bastide.server.api.http import Req
from bastide.server.api.incoming import Subscription
from bastide.server.api.origins import browser_key
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import hash_secret
from bastide.server.notify.calls import Caller

Calls = NamedDependency[Caller]


@get("/api/push", opt={"price": "catalogue"})
async def get_push(calls: Calls) -> responses.PushKey:
    """The public key of this server; none where it calls nobody."""
    return responses.PushKey(None if calls.signer is None else calls.signer.public)


@post("/api/push", status_code=204, opt={"price": "seat"})
async def subscribe(request: Req, data: JSONBody[Subscription], calls: Calls) -> None:
    """This browser wants to be called when one of its turns begins and it is away."""
    key = browser_key(request)
    if key is None:
        raise Refusal("token", "only a browser that has a seat here can be called")
    await calls.subscribe(key, data)


@delete("/api/push", opt={"price": "seat"})
async def unsubscribe(request: Req, calls: Calls) -> None:
    """This browser does not want to be called any more."""
    key = browser_key(request)
    if key is not None:
        await calls.unsubscribe(hash_secret(key))


HANDLERS = [get_push, subscribe, unsubscribe]
