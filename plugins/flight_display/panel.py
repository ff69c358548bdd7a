"""Flight display panel: feeds the display from the recording of the vehicle shown."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.flight_display.slip import steady_lateral_mps2
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.recording.alarms import Alarm, all_alarms
from telemetry.recording.flight_state import read_flight_state
from telemetry.vehicle.vehicle import LinkStatus, Vehicle
from widgets.change_detector import ChangeDetector
from widgets.flight_display import STALE_ATTITUDE_S, FlightDisplay, attitude_fault, link_fault
from widgets.parts import make_column


class FlightDisplayPanel(QWidget):
    """The panel "flight_display.display"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._display = FlightDisplay(context.theme)
        self._seen = ChangeDetector()
        self._silence = Silence()
        self.setLayout(make_column(self._display))

    def refresh(self, t: float) -> None:
        """Show the aircraft as it was at `t`, and in a live flight how long it has been silent."""
        vehicle = self._context.vehicle
        if vehicle is None:
            self._seen.forget()
            self._display.show_state(None, LinkStatus())
            return
        recording, status = vehicle.recording, vehicle.status
        silent_s = self._silence.seconds(vehicle, monotonic_s())
        if not self._seen.has_changed(id(recording), recording.version, t, status, int(silent_s)):
            return
        alarms = all_alarms(recording, t)
        state = read_flight_state(recording, t)
        state = replace(
            state,
            lateral_mps2=steady_lateral_mps2(recording, t),
            airspeed_mps=state.airspeed_mps if measures_airspeed(alarms) else None,
        )
        fault = live_fault(status, silent_s) or attitude_fault(state) or _distrust(alarms)
        self._display.show_state(state, status, fault)


class Silence:
    """How long a live recording has not grown; the cursor of a silent flight stands still."""

    def __init__(self) -> None:
        self._grown: tuple[int, int] = (0, -1)
        self._since = 0.0

    def seconds(self, vehicle: Vehicle, now: float) -> float:
        """Seconds of silence at `now`; 0 unless the vehicle's timeline is live."""
        grown = (id(vehicle.recording), vehicle.recording.version)
        if grown != self._grown:
            self._grown, self._since = grown, now
        return now - self._since if vehicle.timeline.mode == "live" and vehicle.is_live else 0.0


def live_fault(status: LinkStatus, silent_s: float) -> str:
    """Why a live attitude must not be believed although it is the newest there is."""
    lost = link_fault(status)
    if silent_s <= STALE_ATTITUDE_S:
        return lost
    return f"{lost or 'No data'} for {silent_s:.0f} s"


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
