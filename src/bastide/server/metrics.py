"""Figures of a running server for Prometheus, at /metrics. Several processes add theirs up in a folder they share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

SHARED = "PROMETHEUS_MULTIPROC_DIR"  # set by `bastide serve --workers N`

REGISTRY = CollectorRegistry()
LINES = Counter("bastide_lines", "Lines that were stored.", registry=REGISTRY)
REFUSED = Counter("bastide_refused", "What was refused, by its code.", ["code"], registry=REGISTRY)
FAULTS = Counter("bastide_faults", "Faults of the server.", registry=REGISTRY)
BROKEN_TABLES = Counter("bastide_broken_tables", "Tables that could not be read or played on.", registry=REGISTRY)
BOT_FAILURES = Counter("bastide_bot_failures", "Bots that gave no answer.", registry=REGISTRY)
SOCKETS = Gauge("bastide_sockets", "Sockets that are open.", registry=REGISTRY, multiprocess_mode="livesum")
ANSWERS = Histogram(
    "bastide_answer_seconds",
    "From a message on a socket to its answer, by type.",
    ["type"],
    registry=REGISTRY,
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)

SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
HTTP = Histogram(
    "bastide_http_seconds",
    "From a request to its answer, by what was asked.",
    ["what"],
    registry=REGISTRY,
    buckets=SHORT,
)
LOOP_LAG = Histogram(
    "bastide_loop_lag_seconds",
    "How much later than it should the process looks after its clients; measured four times a second.",
    registry=REGISTRY,
    buckets=SHORT,
)
COMMITS = Histogram(
    "bastide_commit_seconds", "From a wish to store something to its commit.", registry=REGISTRY, buckets=SHORT
)
BATCHES = Histogram(
    "bastide_commit_tables", "Tables in one commit.", registry=REGISTRY, buckets=(1, 2, 4, 8, 16, 32, 64, 128)
)
NEWS_LAG = Histogram(
    "bastide_news_lag_seconds",
    "From telling the other processes something to hearing it oneself, through Redis if there is one.",
    registry=REGISTRY,
    buckets=SHORT,
)
OPEN_TABLES = Gauge("bastide_open_tables", "Tables in memory.", registry=REGISTRY, multiprocess_mode="livesum")
BOT_QUESTIONS = Gauge(
    "bastide_bot_questions",
    "Questions to bots without an answer: being thought about, or waiting.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
BOT_ANSWERS = Histogram(
    "bastide_bot_seconds",
    "From a question to a bot to its answer, waiting included.",
    registry=REGISTRY,
    buckets=(0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0),
)


@contextmanager
def answering(kind: str) -> Iterator[None]:
    """Counts how long an answer takes."""
    begun = perf_counter()
    try:
        yield
    finally:
        ANSWERS.labels(kind).observe(perf_counter() - begun)


def exposition() -> bytes:
    """All figures in Prometheus' text form."""
    if SHARED not in os.environ:
        return generate_latest(REGISTRY)
    for file in Path(os.environ[SHARED]).glob("gauge_live*_*.db"):
        process = file.stem.rpartition("_")[2]
        if not Path("/proc", process).exists():
            mark_process_dead(process)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
