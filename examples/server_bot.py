"""A bot that sits down at a table of a server: give it the link with which people are invited.

    python examples/server_bot.py "http://localhost:8421/table/ID#invite=SECRET" --bot python:examples/my_bot.py

It speaks the protocol of docs/protocol.md: HTTP to join, a WebSocket to play. Whenever it is asked it fetches the
record of the game so far, and the bot chooses. Games with hidden hands give no record while they run: they are refused.
It needs the package websockets (`pip install 'bastide[server]'`).
"""

import argparse
import json
import secrets
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.sync.client import connect

from bastide import Bot, Game, bot
from bastide.server.api.follow import follow


def fetched(address: str, token: str = "", body: dict[str, str] | None = None) -> str:
    """The answer to a request, with the seat's token."""
    head = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, head)) as answer:
        text: str = answer.read().decode()
    return text


def played(site: str, table: str, token: str, player: Bot) -> dict[str, Any]:
    """Plays until the game is over; the last state."""
    socket = f"{site.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(socket, max_size=None) as line:
        line.send(json.dumps({"type": "hello", "version": 2, "token": token}))
        asked = -1  # the state for which an action was sent
        state: dict[str, Any] | None = None
        for text in line:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "beat":
                line.send(json.dumps(message))
            elif message["type"] == "refused":
                raise SystemExit(f"refused: {message['message']}")
            elif message["type"] in ("state", "change"):
                state = follow(state, message)
                if state is None:  # a change was missed
                    line.send(json.dumps({"type": "state"}))
                    continue
                if state["status"] == "over":
                    return state
                mine = state["mine"][0]
                if state["status"] == "waiting" and not state["seats"][mine]["ready"]:
                    line.send(json.dumps({"type": "ready", "entropy": secrets.token_hex(16)}))
                game = state["game"]
                if game and game["decides"] == mine and state["seq"] != asked:
                    asked = state["seq"]
                    now = Game.from_record(fetched(f"{site}/api/tables/{table}/record", token))
                    action = str(player.choose(now.view(mine)))
                    line.send(json.dumps({"type": "play", "seq": asked, "action": action}))
    raise SystemExit("the server has closed the line")


def main() -> None:
    """Joins, plays, tells the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("link", help="the invitation, with its secret")
    parser.add_argument("--bot", default="planner", help="as everywhere: planner, python:my_bot.py ...")
    parser.add_argument("--name", default="Mason")
    given = parser.parse_args()
    parts = urlsplit(given.link)
    site, table = f"{parts.scheme}://{parts.netloc}", parts.path.rpartition("/")[2]
    invite = parts.fragment.removeprefix("invite=")
    body = {"invite": invite, "name": given.name}
    seat = json.loads(fetched(f"{site}/api/tables/{table}/join", body=body))
    player = bot(given.bot, secrets.randbits(31))
    try:
        end = played(site, table, seat["token"], player)
    finally:
        player.close()
    print(f"seat {seat['seat']}: {end['game']['scores']}, winners {end['game']['outcome']['winners']}")


if __name__ == "__main__":
    main()
