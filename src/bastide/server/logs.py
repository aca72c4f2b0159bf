"""What a server writes to standard error: one line of text for people, or (BASTIDE_LOG=json) of JSON for programs."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime

VARIABLE = "BASTIDE_LOG"
PLAIN = "%(asctime)s %(levelname)s %(name)s: %(message)s"


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
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def set_up() -> None:
    """Writes warnings and errors of this process, and what the server itself finds worth telling."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if os.environ.get(VARIABLE) == "json" else logging.Formatter(PLAIN))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("bastide.server").setLevel(logging.INFO)
