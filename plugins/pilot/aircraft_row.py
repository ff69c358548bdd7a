"""Aircraft row: link, mode, arming, battery, place, worst alarm and recording in words."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base.finding import Level
from telemetry.recording.alarms import active_alarms
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.freshness import read_freshness
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from widgets.alarm_items import AlarmItem, alarm_items
from widgets.display_units import DisplayUnits

COLUMNS: Final = (
    "Aircraft",
    "Link",
    "Mode",
    "Armed",
    "Battery",
    "From home",
    "Alarm",
    "Recording",
    "Asked for",
)
UNKNOWN: Final = "–"
"""Where the aircraft has not said it, or what it said is too old to be so."""
_OLD_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class AircraftRow:
    """The cells of one aircraft in the order of COLUMNS but the last, the level of its worst
    alarm, and what explains the alarm and the recording.
    """

    cells: tuple[str, ...]
    level: Level
    alarm_help: str
    recording_help: str


def read_row(vehicle: Vehicle, units: DisplayUnits, *, is_active: bool) -> AircraftRow:
    """A live aircraft as it is now, a log at its cursor."""
    status = vehicle.status
    t = vehicle.end_s if vehicle.is_live else vehicle.timeline.t
    flight = read_flight_state(vehicle.recording, t)
    freshness = read_freshness(vehicle.recording, t)
    alarms = active_alarms(vehicle.recording, t)
    items = alarm_items(status, alarms or (), freshness, notices=notices_of(vehicle).all)
    level, alarm, help_text = _alarm(items, is_reported=alarms is not None)
    is_old = vehicle.is_live and not status.is_heard
    recording, recording_help = _recording(status)
    name = f"{vehicle.name} (active)" if is_active else vehicle.name
    cells = (
        name,
        status.word,
        _known(mode_words(flight.flight_mode) or None, is_old=is_old),
        _known(flight.armed, is_old=is_old),
        _battery(flight, is_old=is_old),
        _place(flight, units, is_old=is_old),
        alarm,
        recording,
    )
    return AircraftRow(cells, level, help_text, recording_help)


def _known(text: str | None, *, is_old: bool) -> str:
    if text is None:
        return UNKNOWN
    return f"was {text}" if is_old else text


def _battery(flight: FlightState, *, is_old: bool) -> str:
    if flight.battery_v is None:
        return UNKNOWN
    percent = "" if flight.battery_percent is None else f" {flight.battery_percent:.0f}\u2009%"
    return _known(f"{flight.battery_v:.1f}\u2009V{percent}", is_old=is_old)


def _place(flight: FlightState, units: DisplayUnits, *, is_old: bool) -> str:
    if flight.north_m is None or flight.east_m is None:
        return UNKNOWN
    away = units.distance_text(math.hypot(flight.north_m, flight.east_m))
    up_m = flight.height_m or 0.0
    high = f"{units.value(up_m, 'm'):.0f}\u2009{units.height} up"
    return _known(f"{away}, {high}", is_old=is_old or (flight.position_age_s or 0.0) > _OLD_S)


def _alarm(items: tuple[AlarmItem, ...], *, is_reported: bool) -> tuple[Level, str, str]:
    if items:
        worst = items[0]
        return worst.level, worst.headline, f"{worst.meaning} {worst.remedy}".strip()
    if is_reported:
        return Level.OK, "None", "The aircraft reports no alarm."
    return Level.UNKNOWN, UNKNOWN, "The aircraft has not reported on its alarms yet."


def _recording(status: LinkStatus) -> tuple[str, str]:
    if status.state is LinkState.REPLAY:
        return "A log", "A flight from a file."
    if status.recording_error:
        return "Stopped", status.recording_error
    if status.recording_file:
        return "On", Path(status.recording_file).name
    return "Off", "Nothing is written to disk."
