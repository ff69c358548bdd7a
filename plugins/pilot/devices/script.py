"""A user's script as an input device: a process that prints where the sticks shall be.

Each line that it prints is a message as `written.parse_message` takes it. What else it prints is
counted and shown; when it ends, or says nothing, the aircraft is not flown by it any more.
"""

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from plugins.pilot.devices.source import ControlSource
from plugins.pilot.devices.written import LARGEST_MESSAGE, WrittenSource, parse_message
from telemetry.child_process import end_process
from telemetry.clock import monotonic_s
from telemetry.text_formats import FormatError

UNBUFFERED: Final = "-u"


class ScriptRunner:
    """Runs one script until it is closed."""

    def __init__(self, path: Path) -> None:
        """Raises OSError if it cannot be started."""
        self.path = path
        self.problem = ""
        """What was wrong with the last line that says no sticks."""
        self._process = subprocess.Popen(
            [sys.executable, UNBUFFERED, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd=path.parent,
        )
        self._source = WrittenSource(f"Script {path.name}", f"script-{path.stem}"[:40])
        self._has_spoken = threading.Event()
        self._is_offered = False
        self._thread = threading.Thread(target=self._listen, name="lapwing-script", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def find(self, now_s: float) -> Sequence[ControlSource]:
        if self._source.poll(now_s) is None:
            self._is_offered = False
            return ()
        if self._is_offered:
            return ()
        self._is_offered = True
        return (self._source,)

    def close(self) -> None:
        self._source.close()
        end_process(self._process)
        self._thread.join()

    def _listen(self) -> None:
        lines = self._process.stdout
        if lines is None:
            return
        with lines:
            while line := _line(lines):
                self._take(line)
        self._source.close()

    def _take(self, line: bytes) -> None:
        try:
            axes, buttons = parse_message(line)
        except FormatError as error:
            self.problem = f"{line[:60].decode('utf-8', 'replace').strip()}: {error}"
        else:
            self._source.write(axes, buttons, monotonic_s())


def _line(lines: IO[bytes]) -> bytes:
    """A line; of one without an end no more than a message can be long."""
    return lines.readline(LARGEST_MESSAGE + 1)
