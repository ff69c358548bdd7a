"""Opening a folder: its logs and videos are sorted in a job, shown, corrected and opened."""

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.background_jobs import BackgroundJobs
from app.flight_opening import FlightOpening
from app.folder_overlay import FolderOverlay, Proposals
from app.log_opening import LogOpening
from app.messages import Messages
from telemetry.finding import Level
from telemetry.flights.matching.flights import content_of, write_flights
from telemetry.flights.matching.folder import FolderMatch, match_folder


class FolderSorting:
    """Shows what a folder holds, over `parent`."""

    def __init__(
        self,
        parent: QWidget,
        flights: FlightOpening,
        logs: LogOpening,
        jobs: BackgroundJobs,
        messages: Messages,
    ) -> None:
        self._parent = parent
        self._flights = flights
        self._logs = logs
        self._jobs = jobs
        self._messages = messages

    def open(self, folder: Path) -> None:
        """Look at all files of a folder, which takes seconds, and show the proposals."""
        self._jobs.submit(
            lambda: match_folder(folder, self._logs.catalogue()),
            f"Sorting the logs and videos in {folder.name}",
            self._show,
        )

    def _show(self, match: FolderMatch) -> None:
        if not match.proposals and not match.logs:
            skipped = "".join(f" {sentence}" for sentence in match.skipped)
            self._messages.report(
                f"{match.folder} has no logs and no videos in it.{skipped}", Level.WARNING
            )
        elif not match.proposals:
            self._flights.open([log.path for log in match.logs])
        else:
            FolderOverlay(self._parent, match, self._open, self._save)

    def _open(self, proposals: Proposals) -> None:
        for log in dict.fromkeys(one.log for one in proposals if one.log is not None):
            self._flights.open_flight(log, content_of([one for one in proposals if one.log == log]))

    def _save(self, proposals: Proposals) -> None:
        self._jobs.submit(partial(write_flights, proposals), "Saving the flights", self._tell_saved)

    def _tell_saved(self, saved: tuple[list[Path], list[str]]) -> None:
        written, kept = saved
        names = ", ".join(path.name for path in written) or "Nothing"
        self._messages.report(" ".join((f"{names}: saved.", *kept)), Level.INFO)
