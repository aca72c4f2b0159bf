"""The plug-in as a whole: the check finds nothing, saves of JCloisterZone are read."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bastide.check import check_module
from bastide.notation.jcz import import_jcz
from bastide.notation.replay import Replay

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "plugins/princess_and_dragon/princess_and_dragon"
SOURCES = {".py", ".md", ".txt", ".ts", ".svelte", ".css", ".html"}
BUILT = ("src/bastide/server/static", "src/bastide/server/browser/engine")


def test_no_file_outside_this_folder_names_it() -> None:
    files = [path for top in ("src", "web/src") for path in (ROOT / top).rglob("*") if path.suffix in SOURCES]
    files = [path for path in files if not path.relative_to(ROOT).as_posix().startswith(BUILT)]
    assert len(files) > 500
    assert [path for path in files if re.search("fairy|princess|magic_portal", path.read_text("utf-8"), re.I)] == []


def test_the_check_finds_nothing() -> None:
    assert check_module(FOLDER, every_option=False) == []


def message(kind: str, **payload: object) -> dict[str, object]:
    return {"type": kind, "payload": payload}


def test_a_save_with_dragon_and_fairy_is_read() -> None:
    """Betty's fairy keeps the dragon from her knight: it has nowhere to go, and the city brings 4 and 3."""
    city = {"position": [0, -1], "location": "S", "feature": "City"}
    save = {
        "setup": {
            "sets": {"basic:1": 1, "princess-and-dragon:1": 1},
            "elements": {"small-follower": 7, "farmers": True, "dragon": 1, "fairy": 1},
            "rules": {"dragon-move": "before-scoring", "fairy-placement": "next-follower"},
            "start": [{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}],
        },
        "players": [{"name": "Betty"}, {"name": "John"}],
        "replay": [
            message("PLACE_TILE", tileId="BA/RFr", rotation="R0", position=[1, 0]),
            message(
                "DEPLOY_MEEPLE", pointer={"position": [1, 0], "location": "WE", "feature": "Road"}, meepleId="0.small.1"
            ),
            message("COMMIT"),
            message("PLACE_TILE", tileId="DG/C.v", rotation="R180", position=[0, 1]),
            message("COMMIT"),
            message("PLACE_TILE", tileId="DG/RrC.d", rotation="R180", position=[0, -1]),
            message("DEPLOY_MEEPLE", pointer=city, meepleId="0.small.2"),
            {**message("MOVE_NEUTRAL_FIGURE", figureId="dragon.1", to=[0, 0]), "player": 0},
            {**message("MOVE_NEUTRAL_FIGURE", figureId="dragon.1", to=[1, 0]), "player": 1},
            message("COMMIT"),
        ],
        "gameAnnotations": {"drawOrder": ["BA/RFr", "DG/C.v", "DG/RrC.d"]},
        "test": {"assertions": ["Betty scored city for 4 points", "Betty has 4 points", "John has 0 points"]},
    }
    imported = import_jcz(json.dumps(save))
    assert imported.skipped == ()
    assert len(list(Replay(imported.record))) > 5
    assert str(imported.record).count("\ncheck ") == 3
