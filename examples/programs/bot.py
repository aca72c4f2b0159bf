"""A bot as a program of its own: `bastide play --seats human,"program:python3 examples/programs/bot.py"`.

It knows nothing of Bastide but lines of JSON, so it could be written in any language. It answers with the last of the
legal actions that speak of a city, or the last one at all.
"""

import json
import sys
from typing import Any


def answer(question: dict[str, Any]) -> dict[str, str]:
    """One answer for one question."""
    if question["ask"] == "hello":
        return {"name": "mason"}
    cities = [text for text in question["legal"] if "city" in text]
    return {"action": (cities or question["legal"])[-1]}


for line in sys.stdin:
    if json.loads(line)["ask"] == "end":
        break
    print(json.dumps(answer(json.loads(line))), flush=True)
