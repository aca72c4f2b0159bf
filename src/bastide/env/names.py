"""The versioned names of the environments: `bastide/Base-v2`, one for each preset and each game of its own.

The version grows whenever an observation or an action means something else than before.
"""

from __future__ import annotations

from typing import Any

from bastide.errors import OptionError
from bastide.rules import Rules
from bastide.rules.registry import presets, specs

VERSION = 2
BASE = "base"


def ids() -> dict[str, dict[str, Any]]:
    """Every id, with the arguments of `Rules.of` that it stands for."""
    found: dict[str, dict[str, Any]] = {name_of(BASE): {}}
    found |= {name_of(name): {"preset": name} for name in presets()}
    return found | {name_of(spec.name): {"modules": (spec.name,)} for spec in specs().values() if spec.standalone}


def name_of(words: str) -> str:
    """`bastide/OneTwo-v2` for one_two."""
    return f"bastide/{''.join(word[:1].upper() + word[1:] for word in words.split('_'))}-v{VERSION}"


def rules_of(id: str, **choice: Any) -> Rules:
    """The rules of an id; what is given beside it wins."""
    known = ids()
    if id not in known:
        raise OptionError(f"unknown environment {id!r}; there are {', '.join(known)}")
    rules = Rules.of(**{**known[id], **choice})
    if rules.scripted:
        raise OptionError("scripted: expected a game that ends by itself, for an episode must end")
    return rules
