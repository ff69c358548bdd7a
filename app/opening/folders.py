"""Folder opening: its logs and videos are sorted in a job, shown, corrected and opened."""

import math
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from app.background_jobs import BackgroundJobs, JobControl
from app.messages import Message, Messages
from app.opening.flights import FlightOpening
from app.opening.folder_overlay import FolderOverlay, Proposals
from app.opening.logs import LogOpening
from telemetry.base.finding import Level

if TYPE_CHECKING:  # what matches takes scipy, which the start of the station does without
    from telemetry.review.flights.matching.folder_match import FolderMatch

_PICTURES_SHARE: Final = 0.3
"""Of a video's duration, for looking at its pictures."""


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
        control = JobControl(is_for_window=True)

        def match() -> "FolderMatch":
            from telemetry.review.flights.matching.folder_match import match_folder

            return match_folder(
                folder, self._logs.catalogue(), lambda _file, share: control.report(share, 1.0)
            )

        doing = f"Sorting the logs and videos in {folder.name}"
        self._jobs.submit(match, doing, self._show, control=control)

    def match_pictures(self, match: "FolderMatch") -> None:
        """Match a folder again by the pictures of its videos, too, which takes minutes; cancelled,
        it shows what was found until then."""
        from telemetry.review.flights.matching.cli import match_lines
        from telemetry.review.flights.matching.folder_match import look_at_pictures

        cancelled = threading.Event()
        seconds = sum(proposal.video.duration_s for proposal in match.proposals)
        minutes = math.ceil(seconds * _PICTURES_SHARE / 60)
        self._messages.put(
            Message(
                f"The pictures of the videos in {match.folder.name} are compared with the logs; "
                f"that takes about {minutes} min.",
                remedy_title="Stop and show what was found",
                remedy=cancelled.set,
                topic="pictures",
            )
        )

        def show(found: "FolderMatch") -> None:
            text = f"{match.folder.name} is sorted by pictures, too."
            details = "\n".join(match_lines(found))
            self._messages.put(Message(text, details=details, topic="pictures"))
            self._show(found)

        self._jobs.submit(
            lambda: look_at_pictures(match, is_cancelled=cancelled.is_set),
            f"Looking at the pictures of the videos in {match.folder.name}",
            show,
        )

    def _show(self, match: "FolderMatch") -> None:
        if not match.proposals and not match.logs:
            skipped = "".join(f" {sentence}" for sentence in match.skipped)
            self._messages.report(
                f"{match.folder} has no logs and no videos in it.{skipped}", Level.WARNING
            )
        elif not match.proposals:
            self._flights.open([log.path for log in match.logs])
        else:
            look = partial(self.match_pictures, match)
            FolderOverlay(self._parent, match, self._open, self._save, look)

    def _open(self, proposals: Proposals) -> None:
        from telemetry.review.flights.matching.flights import content_of

        for log in dict.fromkeys(one.log for one in proposals if one.log is not None):
            self._flights.open_flight(log, content_of([one for one in proposals if one.log == log]))

    def _save(self, proposals: Proposals) -> None:
        from telemetry.review.flights.matching.flights import write_flights

        self._jobs.submit(partial(write_flights, proposals), "Saving the flights", self._tell_saved)

    def _tell_saved(self, saved: tuple[list[Path], list[str]]) -> None:
        written, kept = saved
        names = ", ".join(path.name for path in written) or "Nothing"
        self._messages.report(" ".join((f"{names}: saved.", *kept)), Level.INFO)
