"""Simulator command in a process of its own, as fast as the machine can; never waited for."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from telemetry.base.child_process import end_process
from telemetry.base.installation import RESOURCES, ROOT

_PREFIX = re.compile(r"^lapwing(?: sim| mission| identify| tune)?: ")
"""What a command begins its errors with."""
SIM = ("simulation", "sim", "--json")
"""Module and first arguments of `lapwing sim`."""
STUDY = ("lapwing", "study")
"""Those of `lapwing study`."""
MISSION_FLY = ("lapwing", "mission", "fly", "--json")
"""Those of `lapwing mission fly`."""
IDENTIFY = ("lapwing", "identify", "--json")
"""Those of `lapwing identify`."""
TUNE = ("lapwing", "tune", "--json")
"""Those of `lapwing tune`."""


@cache
def aircraft_names() -> tuple[str, ...]:
    """The aircraft that ship with the simulator, as physics."""
    return tuple(sorted(path.stem for path in (RESOURCES / "aircraft").glob("*.toml")))


@cache
def airframe_names() -> tuple[str, ...]:
    """The airframes that ship with the simulator: aircraft as they are set up."""
    return tuple(sorted(path.stem for path in (RESOURCES / "airframes").glob("*.json")))


class SimCommand:
    """`lapwing sim --json`, or another command that reports so, with some arguments.

    `folder` is its own until it is closed: put there what it is to read, and name there what it is
    to write."""

    def __init__(self, prefix: str) -> None:
        self._folder = TemporaryDirectory(prefix=prefix)
        self.folder = Path(self._folder.name)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, arguments: Sequence[str], program: Sequence[str] = SIM) -> None:
        """Start it. Raises OSError when that is not possible; then it is closed already."""
        command = [sys.executable, "-m", *program, *arguments]
        with (self.folder / "out").open("wb") as out, (self.folder / "err").open("wb") as err:
            try:
                self._process = subprocess.Popen(
                    command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=err
                )
            except OSError:
                self._folder.cleanup()
                raise

    @property
    def is_running(self) -> bool:
        """Whether it still works on it."""
        return self._process is not None and self._process.poll() is None

    def ask_to_end(self) -> None:
        """Have it come to an end as it does for Ctrl+C; it may take its time for that."""
        if self._process is not None:
            self._process.terminate()

    def report(self) -> dict[str, Any] | None:
        """What it reported at its end; None if it ended without."""
        try:
            report: dict[str, Any] = json.loads((self.folder / "out").read_text("utf-8"))
        except json.JSONDecodeError:
            return None
        return report

    def reason(self) -> str:
        """Why there is no report, in its own words where it had any."""
        code = self._process.returncode if self._process is not None else None
        return self.said() or f"exit code {code}"

    def said(self) -> str:
        """The last line that it has written beside its report: how far it is, or what is wrong."""
        lines = (self.folder / "err").read_text("utf-8", "replace").strip().splitlines()
        said = lines[-1] if lines else ""
        return _PREFIX.sub("", said, count=1)

    def close(self) -> None:
        """End it if it still runs and drop its files. Closing twice is fine."""
        if self._process is not None:
            end_process(self._process)
        self._folder.cleanup()
