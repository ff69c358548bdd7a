"""Stick process: a user's script that prints where the sticks shall be, in its own process.

Each line that it prints is a message as `program_message.parse_message` takes it; what else it
prints is kept to be shown. Nothing of it is run in the station.
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

from telemetry.base.child_process import end_process
from telemetry.base.clock import monotonic_s
from telemetry.base.text_formats import FormatError
from telemetry.flying.inputs.program_message import LARGEST_MESSAGE, parse_message
from telemetry.flying.inputs.reading import Reading

_UNBUFFERED: Final = "-u"


class StickProcess:
    """Runs one script until it is closed, and calls `say` with each reading, from a thread of its
    own. Raises OSError if it cannot be started."""

    def __init__(
        self, path: Path, say: Callable[[Reading], None], *, is_told: bool = False
    ) -> None:
        """A script that `is_told` has something to read on its input."""
        self.problem = ""
        """What was wrong with the last line that says no sticks."""
        self._say = say
        self._process = subprocess.Popen(
            [sys.executable, _UNBUFFERED, str(path)],
            stdin=subprocess.PIPE if is_told else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd=path.parent,
        )
        self._thread = threading.Thread(target=self._listen, name="lapwing-script", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    @property
    def told(self) -> IO[bytes] | None:
        """Its input."""
        return self._process.stdin

    def close(self) -> None:
        """End it. Closing twice is fine."""
        end_process(self._process)
        self._thread.join()

    def _listen(self) -> None:
        lines = self._process.stdout
        if lines is None:
            return
        with lines:
            while line := lines.readline(LARGEST_MESSAGE + 1):  # one without an end is cut
                self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            said = parse_message(line)
        except FormatError as error:
            self.problem = f"{line[:60].decode('utf-8', 'replace').strip()}: {error}"
        else:
            self._say(Reading(said.axes, said.buttons, monotonic_s()))
