"""Script input: a user's script prints what moves the sticks of whoever chooses it."""

from collections.abc import Sequence
from pathlib import Path

from plugins.pilot.devices.program_sticks import ProgramSticks
from plugins.pilot.devices.source import ControlSource
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_process import StickProcess


class ScriptRunner:
    """Runs one script until it is closed. Raises OSError if it cannot be started."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._source = ProgramSticks(f"Script {path.name}", f"script-{path.stem}"[:40])
        self._is_offered = False
        self._process = StickProcess(path, self._write)

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.is_running

    @property
    def problem(self) -> str:
        """What was wrong with the last line that says no sticks."""
        return self._process.problem

    def find(self, now_s: float) -> Sequence[ControlSource]:
        if self._source.poll(now_s) is None:
            self._is_offered = False
            return ()
        if self._is_offered:
            return ()
        self._is_offered = True
        return (self._source,)

    def close(self) -> None:
        self._process.close()
        self._source.close()

    def _write(self, reading: Reading) -> None:
        self._source.write(reading.axes, reading.buttons, reading.read_s)
