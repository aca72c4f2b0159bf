"""docs/protocol.md says what the server does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.inspect import StructType, multi_type_info

from bastide.server.api import contents, incoming, outgoing, responses
from bastide.server.api.http import HANDLERS
from tests.server.client import House

TEXT = Path(__file__).parents[2].joinpath("docs/protocol.md").read_text("utf-8")


def structs(module: object) -> list[type[msgspec.Struct]]:
    found = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    assert found
    return [kind for kind in found if kind is not msgspec.Struct]


@pytest.mark.parametrize(
    "kind",
    [*structs(incoming), *structs(outgoing), *structs(responses), *structs(contents)],
    ids=lambda kind: kind.__name__,
)
def test_every_member_is_described(kind: type[msgspec.Struct]) -> None:
    (info,) = multi_type_info([kind])
    assert isinstance(info, StructType)
    members = [field.encode_name for field in info.fields]
    assert [name for name in members if not re.search(rf"`?\"?\b{name}\b\"?`?", TEXT)] == []
    if info.tag_field == "type" and info.tag not in ("message", "outgoing"):
        assert f'"type": "{info.tag}"' in TEXT


def test_every_path_is_described() -> None:
    described = re.sub(r"/(ID|SEAT|BASE-12|MODULE(\.svg)?)\b", "/*", TEXT)
    for handler in HANDLERS:
        for path in handler.paths:
            if path.startswith("/api/") and "drawings" not in path:
                assert re.sub(r"{\w+:(str|int)}", "*", path) in described, path


def test_programs_can_read_the_contract(house: House) -> None:
    schema = house.get("/api/schema/openapi.json").json()
    assert "/api/tables/{table}/join" in schema["paths"]
    assert "NewTable" in str(schema["components"]["schemas"].keys())
    socket = house.get("/api/schema/socket.json").json()
    assert {"Play", "State", "Change", "Refused"} <= set(socket["$defs"])


def test_the_types_of_the_page_are_made_from_these() -> None:
    """They were written by hand, and one had a member that no server ever sent."""
    script = Path(__file__).parents[2] / "scripts/protocol_types.py"
    checked = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
