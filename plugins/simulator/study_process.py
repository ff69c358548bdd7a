"""Study processes: a run of a study, or one flight of it again; never waited for."""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from simulation.studies.result_folder import JOURNAL
from telemetry.base.clock import monotonic_s
from telemetry.base.input_files import open_file
from telemetry.base.simulation_command import STUDY, SimCommand

_STEP_BYTES: Final = 1 << 22


class ProcessEnd(NamedTuple):
    """How a process ended: a sentence, and the tone that it is said in."""

    text: str
    tone: str


class StudyProcess:
    """One run of `lapwing study run`. Raises OSError when it cannot be started."""

    def __init__(self, study: str, name: str, folder: Path) -> None:
        self.folder = folder
        self.planned = 0
        """Of how many flights, once somebody has said so."""
        self._name = name
        self._journal = folder / JOURNAL
        self._read = 0
        self._done = 0
        self._first: tuple[int, float] | None = None
        self._is_asked_to_end = False
        self._command = SimCommand("lapwing-study-")
        self._count()
        self._command.start(["run", study, "--out", str(folder), "--json"], STUDY)

    @property
    def is_running(self) -> bool:
        """Whether it still flies."""
        return self._command.is_running

    def words(self) -> str:
        """What it does, how far it is and how long it will still take; "" when it has ended."""
        if not self.is_running:
            return ""
        self._count()
        if self._is_asked_to_end:
            return f"Study {self._name} is ending …"
        if not self._first:
            return f"Study {self._name} begins …"
        if not self.planned:
            return f"Study {self._name} … {self._done:,} flights"
        return f"Study {self._name} … {100 * self._done // self.planned} %{self._left()}"

    def ask_to_end(self) -> None:
        """Interrupt it; what was flown is kept."""
        self._is_asked_to_end = True
        self._command.ask_to_end()

    def poll(self) -> ProcessEnd | None:
        """How it ended, None while it flies."""
        if self.is_running:
            return None
        report = self._command.report()
        if report is not None:
            return ProcessEnd(report.get("ended") or "All flights are flown.", "ok")
        if self._is_asked_to_end:
            return ProcessEnd("Stopped. What was flown is kept; Run goes on with it.", "")
        return ProcessEnd(f"The study was not flown to its end: {self._command.reason()}", "danger")

    def close(self) -> None:
        """Interrupt it if it still flies, and wait a little. Closing twice is fine."""
        self._command.close()

    def _count(self) -> None:
        """Lines that the journal has by now."""
        before = self._done
        with suppress(OSError), open_file(self._journal) as journal:
            journal.seek(self._read)
            while part := journal.read(_STEP_BYTES):
                self._read += len(part)
                self._done += part.count(b"\n")
        if self._command.is_running and self._first is None and self._done > before:
            self._first = self._done, monotonic_s()

    def _left(self) -> str:
        """From the first flights on, before which the program starts."""
        assert self._first is not None
        done, since_s = self._first
        if self._done <= done:
            return ""
        left_s = (self.planned - self._done) * (monotonic_s() - since_s) / (self._done - done)
        return f", {_duration(left_s)} left"


def _duration(seconds: float) -> str:
    if seconds < 100.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 6000.0 else f"{seconds / 3600.0:.1f} h"


class FlightProcess:
    """One run of `lapwing study fly`. Raises OSError when it cannot be started."""

    def __init__(self, folder: Path, index: int) -> None:
        self.index = index
        self._command = SimCommand("lapwing-flight-")
        self.recording = self._command.folder / f"{folder.name}-flight-{index}.opl"
        arguments = ["fly", str(folder), str(index), "--record", str(self.recording), "--json"]
        self._command.start(arguments, STUDY)

    def poll(self) -> ProcessEnd | None:
        """How it ended, None while it flies."""
        if self._command.is_running:
            return None
        report: dict[str, Any] | None = self._command.report()
        if report is None:
            reason = self._command.reason()
            return ProcessEnd(f"Flight {self.index} cannot be flown again: {reason}", "danger")
        if not report["same"]:
            return ProcessEnd(
                f"Flight {self.index} came out otherwise than in the study, which was flown by "
                "another version, or on another processor.",
                "caution",
            )
        return ProcessEnd(f"Flight {self.index} is the same as in the study, to the bit.", "ok")

    def close(self) -> None:
        """End it if it is still flying and drop its log. Closing twice is fine."""
        self._command.close()
