"""Flight display panel: feeds the display from the recording of the vehicle shown."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QWidget

from plugins.api import Json, PanelContext
from plugins.flight_display.slip import steady_lateral_mps2
from telemetry.base.finding import Level
from telemetry.recording.alarms import Alarm, all_alarms
from telemetry.recording.flight_state import read_flight_state
from telemetry.vehicle.vehicle import LinkStatus, Vehicle
from widgets.change_detector import ChangeDetector
from widgets.choices import mark_chosen
from widgets.flight_display import FlightDisplay, attitude_fault, link_fault
from widgets.parts import make_column

_WORDS = "Mode, arming, GPS, link and battery"


class FlightDisplayPanel(QWidget):
    """The panel "flight_display.display"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._display = FlightDisplay(context.theme)
        self._seen = ChangeDetector()
        self.setLayout(make_column(self._display))

    def save_state(self) -> Json:
        """Whether words stand in its corners."""
        return {"corner_words": self._display.has_words}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self._display.show_words(bool(state.get("corner_words", True)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Have the user say whether words stand there."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = mark_chosen(menu.addAction(_WORDS), self._display.has_words)
        words.toggled.connect(self._display.show_words)
        menu.popup(event.globalPos())

    def refresh(self, t: float) -> None:
        """Show the aircraft as it was at `t`, and in a live flight how long it has been silent."""
        vehicle = self._context.vehicle
        if vehicle is None:
            self._seen.forget()
            self._display.show_state(None, LinkStatus())
            return
        recording, status = vehicle.recording, vehicle.status
        if not self._seen.has_changed(id(recording), recording.version, t, status):
            return
        alarms = all_alarms(recording, t)
        state = read_flight_state(recording, t)
        state = replace(
            state,
            lateral_mps2=steady_lateral_mps2(recording, t),
            airspeed_mps=state.airspeed_mps if measures_airspeed(alarms) else None,
        )
        fault = live_fault(vehicle) or attitude_fault(state) or _distrust(alarms)
        self._display.show_state(state, status, fault)


def live_fault(vehicle: Vehicle) -> str:
    """Why a live attitude must not be believed although it is the newest there is; nothing where
    the cursor is elsewhere in the flight."""
    status = vehicle.status
    if vehicle.timeline.mode != "live" or not vehicle.is_live or status.is_heard:
        return ""
    if status.is_late:
        return status.word
    lost = link_fault(status)
    return f"{lost} for {status.silence}" if lost and status.silent_s else lost


def measures_airspeed(alarms: Sequence[Alarm]) -> bool:
    """Whether an airspeed sensor may be there: false where the board does not watch any.

    Such a board still sends an airspeed, which is an estimate from GPS at best.
    """
    return all(alarm.level is not Level.UNKNOWN for alarm in alarms if alarm.name == "Airspeed")


def _distrust(alarms: Sequence[Alarm]) -> str:
    """The aircraft's own word that its attitude estimate is worthless."""
    for alarm in alarms:
        if alarm.name == "Attitude" and alarm.level is Level.ERROR:
            return f"Attitude not valid, says the board ({alarm.severity})"
    return ""
