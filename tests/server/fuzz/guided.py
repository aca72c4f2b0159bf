"""Save files once more, led by what they reach in the reader: by atheris, where it is installed (extra `fuzz`)."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

LONGEST = 4000  # bytes
TOLD = 4000  # letters of what atheris says about a fault


def installed() -> bool:
    """Is atheris there?"""
    return find_spec("atheris") is not None


def fuzz_guided(count: int, start: int, patience: float) -> list[str]:
    """Reads so many save files in a process of its own, for atheris ends the process; returns the fault, if any."""
    from tests.server.fuzz.records import good_records  # not in the other process: the reader must come in by atheris

    with TemporaryDirectory() as folder:
        for number, record in enumerate(good_records()):
            (Path(folder) / str(number)).write_text(record)
        limits = [f"-runs={count}", f"-seed={start % 2**31 or 1}", f"-max_len={LONGEST}", f"-timeout={patience:.0f}"]
        command = [sys.executable, "-m", __name__, *limits, f"-artifact_prefix={folder}/", folder]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        found = [file.read_bytes() for file in Path(folder).glob("*-*")]  # crash-..., timeout-...
    return [f"{done.stderr[-TOLD:]}\n  after {found}"] if done.returncode else []


def main() -> None:
    """What runs in the process."""
    import atheris

    with atheris.instrument_imports(include=["bastide.notation", "bastide.server.tables.setup"]):
        from bastide.server.tables.setup import setup_of
    from bastide.errors import BastideError
    from bastide.server.api.incoming import NewTable, WantedSeat
    from bastide.server.api.refusal import Refusal

    def read(data: bytes) -> None:
        with suppress(BastideError, Refusal):  # as it should be
            setup_of(NewTable(seats=[WantedSeat("open")] * 2, record=data.decode(errors="surrogateescape") or " "))

    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
