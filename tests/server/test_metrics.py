"""Figures: what dashboard and alerts ask for exists, and is measured."""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import sleep

import yaml

from bastide.server.metrics import REGISTRY
from tests.server.client import House

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = re.compile(r"\bbastide_\w+")


def known() -> set[str]:
    """The names of all figures, as Prometheus stores them."""
    suffixes = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
    return {metric.name + suffix for metric in REGISTRY.collect() for suffix in suffixes[metric.type]}


def test_the_dashboard_shows_every_figure_and_no_other() -> None:
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    named = set(NAME.findall("\n".join(asked)))
    assert named <= known()
    shown = {re.sub("_(total|bucket|sum|count)$", "", name) for name in named}
    assert shown == {metric.name for metric in REGISTRY.collect()}


def test_alerts_ask_for_figures_that_exist() -> None:
    (group,) = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    named = set(NAME.findall("\n".join(rule["expr"] for rule in group["rules"])))
    assert len(named) > 5
    assert named <= known()
    assert all(rule["annotations"]["summary"] and rule["labels"]["severity"] for rule in group["rules"])


def figure(name: str) -> float:
    """What a figure is now, over all its labels."""
    return sum(sample.value for metric in REGISTRY.collect() for sample in metric.samples if sample.name == name)


def test_a_game_leaves_its_traces(house: House) -> None:
    names = ["commit_seconds", "commit_tables", "http_seconds", "bot_seconds", "loop_lag_seconds", "news_lag_seconds"]
    before = {name: figure(f"bastide_{name}_count") for name in names}
    with house.waiting_for("random") as red:
        red.await_question()
        while any(figure(f"bastide_{name}_count") == before[name] for name in names):
            sleep(0.05)  # clocks are looked at twice a second
        while figure("bastide_open_tables") < 1:
            sleep(0.05)
    assert figure("bastide_bot_questions") == 0
