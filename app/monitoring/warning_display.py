"""Warning display: messages, events, markers; what warnings do besides speaking."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtGui import QGuiApplication

from app.messages import Message
from app.window.main_window import MainWindow
from telemetry.review.flights.marker_editing import marking_of
from telemetry.vehicle.vehicle import Fleet, Vehicle
from telemetry.warnings.announcement import Announcement
from telemetry.warnings.centre import WarningCentre
from telemetry.warnings.rule import WarningOutput
from telemetry.warnings.rule_state import RuleTurn
from telemetry.warnings.speaker import Speaker

if TYPE_CHECKING:
    from telemetry.warnings.speech_worker import SpeechWorker

MARKER_CATEGORY = "warning"
_OVER: Final[dict[str, Any]] = {"text": "", "lasts": False, "is_over": True}
"""What makes the end of a condition of what told it."""
_NO_SCREEN = ("offscreen", "minimal")


class WarningDisplay:
    """Asks the centre on the tick and carries out what is to be seen."""

    def __init__(self, centre: WarningCentre, fleet: Fleet, window: MainWindow) -> None:
        self._centre = centre
        self._fleet = fleet
        self._window = window
        self._lasting: dict[str, Message] = {}
        window.toolbar.on_mute = self._mute

    def poll(self) -> None:
        """Tell what has come up since the last call."""
        for note in self._centre.poll():
            self._show(note)
        over = self._lasting.keys() - self._centre.active_keys()
        self._window.take_messages([replace(self._lasting.pop(key), **_OVER) for key in over])
        self._window.toolbar.show_muted(self._centre.is_muted)

    def _mute(self) -> None:
        self._centre.mute(not self._centre.is_muted)
        self._window.toolbar.show_muted(self._centre.is_muted)

    def _show(self, note: Announcement) -> None:
        if WarningOutput.BANNER in note.rule.outputs:
            self._list(note)
        vehicle = self._vehicle(note)
        if vehicle is None or not vehicle.is_live or note.turn is RuleTurn.REPEAT:
            return
        if WarningOutput.EVENT in note.rule.outputs:
            vehicle.note("warning", note.level, note.text, note.t)
        if WarningOutput.MARKER in note.rule.outputs:
            marking_of(vehicle).add(note.t, note.text, MARKER_CATEGORY)

    def _list(self, note: Announcement) -> None:
        """As a message, on a topic of its rule; its subject is that of the rules."""
        rule = note.rule
        message = Message(
            note.text,
            note.level,
            topic=f"{rule.topic}/{rule.id}",
            about=note.key.rpartition("/")[0],
            title=rule.title,
            lasts=note.turn is not RuleTurn.OVER and rule.comparison.lasts,
            is_over=note.turn is RuleTurn.OVER,
        )
        if message.lasts:
            self._lasting[note.key] = message
        else:
            self._lasting.pop(note.key, None)
        self._window.take_messages([message])

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
