"""A simulated aircraft for a script: `lapwing sim --serve` in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from telemetry.child_process import end_process
from telemetry.robot.errors import RobotError

SCHEME: Final = "sim"
_ROOT = Path(__file__).resolve().parents[2]
_OPTIONS: Final = ("seed", "world")


class SimulatedRobot:
    """The process. `address` is where it is reached."""

    def __init__(self, address: str) -> None:
        """Start the aircraft of "sim:NAME" or "sim:NAME?seed=3&world=office". Raises RobotError."""
        name, options = _parsed(address)
        command = [
            sys.executable,
            "-m",
            "simulation",
            "sim",
            "--json",
            "--serve",
            "tcp:127.0.0.1:0",
        ]
        command += ["--aircraft", name]
        for option, value in options.items():
            command += [f"--{option}", value]
        self._process = subprocess.Popen(
            command, cwd=_ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise RobotError(f"{address} was not started; what it said stands above.")
        self.address: str = json.loads(line)["address"]

    def close(self) -> None:
        """End it. Closing twice is fine."""
        end_process(self._process)
        if self._process.stdout is not None:
            self._process.stdout.close()


def _parsed(address: str) -> tuple[str, Mapping[str, str]]:
    parts = urlsplit(address)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = set(options) - set(_OPTIONS)
    if unknown or not parts.path:
        raise RobotError(
            f"'{address}' is no simulated aircraft: write sim:NAME, with "
            f"{' and '.join(f'{one}=' for one in _OPTIONS)} behind a ? where wanted."
        )
    return parts.path, options
