"""What a server writes to standard error: one line of text for people, or (BASTIDE_LOG=json) of JSON for programs."""

from __future__ import annotations

import json
import logging
import os
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime

VARIABLE = "BASTIDE_LOG"
PLAIN = "%(asctime)s %(levelname)s %(name)s: %(message)s%(where)s"

# What is being answered: each request and each socket is a task of its own, with its own values.
REQUEST: ContextVar[str] = ContextVar("request", default="")
TABLE: ContextVar[str] = ContextVar("table", default="")


def begin_request(table: str) -> None:
    """From now on this task answers a request, perhaps about a table; its log lines say so."""
    REQUEST.set(secrets.token_hex(4))
    TABLE.set(table)


def add_context(record: logging.LogRecord) -> bool:
    """Adds to a line of the log which request and which table it is about."""
    context = {name: value for name, value in (("request", REQUEST.get()), ("table", TABLE.get())) if value}
    where = "".join(f" [{name} {value}]" for name, value in context.items())
    record.__dict__.update(context=context, where=where)
    return True


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            **getattr(record, "context", {}),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def set_up() -> None:
    """Writes warnings and errors of this process, and what the server itself finds worth telling."""
    handler = logging.StreamHandler()
    handler.addFilter(add_context)
    handler.setFormatter(JsonLines() if os.environ.get(VARIABLE) == "json" else logging.Formatter(PLAIN))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("bastide.server").setLevel(logging.INFO)
