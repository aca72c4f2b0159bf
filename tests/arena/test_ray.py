"""The same games on a Ray cluster of this machine's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from bastide.arena import Arena, InProcess, RayCluster, Setup, Table
from bastide.errors import BastideError
from bastide.rules import Rules

SETUP = Setup(("random", "random"), Table.of(Rules.of()), seed=3)


@pytest.mark.filterwarnings("ignore")  # Ray has its own
def test_a_local_cluster_plays_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: no cluster to play on")
    cluster = RayCluster("local")
    try:
        many = Arena(SETUP, 6, tmp_path / "ray").run(cluster)
    finally:
        cluster.close()
    assert many.duels == Arena(SETUP, 6, tmp_path / "here").run(InProcess()).duels


def test_without_ray_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(BastideError, match=r"pip install 'bastide\[ray\]'"):
        RayCluster("local")
