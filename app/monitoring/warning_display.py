"""Warning display: a banner in the toolbar, events, markers; what warnings do besides speaking."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.window.main_window import MainWindow
from telemetry.review.flights.marker_editing import marking_of
from telemetry.vehicle.vehicle import Fleet, Vehicle
from telemetry.warnings.announcement import Announcement
from telemetry.warnings.centre import WarningCentre
from telemetry.warnings.rule import WarningOutput
from telemetry.warnings.speaker import Speaker

if TYPE_CHECKING:
    from telemetry.warnings.speech_worker import SpeechWorker

MARKER_CATEGORY = "warning"
_NO_SCREEN = ("offscreen", "minimal")


class WarningDisplay:
    """Asks the centre on the tick and carries out what is to be seen."""

    def __init__(self, centre: WarningCentre, fleet: Fleet, window: MainWindow) -> None:
        self._centre = centre
        self._fleet = fleet
        self._window = window
        window.toolbar.on_mute = self._mute

    def poll(self) -> None:
        """Tell what has come up since the last call."""
        for note in self._centre.poll():
            self._show(note)
        self._window.toolbar.show_muted(self._centre.is_muted)

    def _mute(self) -> None:
        self._centre.mute(not self._centre.is_muted)
        self._window.toolbar.show_muted(self._centre.is_muted)

    def _show(self, note: Announcement) -> None:
        if WarningOutput.BANNER in note.rule.outputs:
            self._window.show_banner(note.text, note.level)
        vehicle = self._vehicle(note)
        if vehicle is None:
            return
        if WarningOutput.EVENT in note.rule.outputs and vehicle.is_live:
            vehicle.note("warning", note.level, note.text, note.t)
        if WarningOutput.MARKER in note.rule.outputs and vehicle.is_live:
            marking_of(vehicle).add(note.t, note.text, MARKER_CATEGORY)

    def _vehicle(self, note: Announcement) -> Vehicle | None:
        name = note.key.rpartition("/")[0]
        return next((v for v in self._fleet.vehicles if v.name == name), None)


def _silent_worker() -> "SpeechWorker":
    from telemetry.warnings.speech_worker import silent_worker

    return silent_worker()


def make_speaker() -> Speaker:
    """A speaker for this station; without a screen there is nobody who listens."""
    if QGuiApplication.platformName() in _NO_SCREEN:
        return Speaker(_silent_worker)
    return Speaker()
