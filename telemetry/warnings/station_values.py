"""Station values, for rules besides fields: the same for every release, and the station's own.

Battery: flight/modules/Battery/battery.c of LibrePilot compares the pack with a threshold per cell
times the number of cells it goes by; releases before OpenPilot 15.02, Tau Labs and dRonin up to
2016 have thresholds for the pack.
"""

from typing import Final

from telemetry.base.finding import Finding, Level
from telemetry.base.registry import Registry
from telemetry.recording.alarms import all_alarms
from telemetry.recording.flight_state import POSITION, VELOCITY
from telemetry.recording.gps_fix import GPS
from telemetry.recording.sample import Sample
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.vehicle import LinkState
from telemetry.warnings.firmware_needs import FirmwareNeed
from telemetry.warnings.rule_state import WatchedValue
from telemetry.warnings.watched_flight import StationValue, WatchedFlight

_LOST = (LinkState.LOST, LinkState.RECONNECTING)
_BATTERY, _BATTERY_SETTINGS = "FlightBatteryState", "FlightBatterySettings"
_FENCE_WORDS = {"fence": "crossed", "fence-near": "near", "fence-not-watched": None}
"""By the codes of what `telemetry/missions/geofence_watch.py` says."""
_WORST = ("Critical", "Alarm")
"""What releases call the second threshold."""


def _armed(watched: WatchedFlight) -> WatchedValue:
    """Arming takes a second, in which it is not armed yet."""
    if not watched.known("FlightStatus") or watched.flight.armed is None:
        return None
    return "Armed" if watched.flight.is_armed else "Disarmed"


def _flight_mode(watched: WatchedFlight) -> WatchedValue:
    return watched.flight.flight_mode if watched.known("FlightStatus") else None


def _failsafe(watched: WatchedFlight) -> WatchedValue:
    command = watched.known("ManualControlCommand")
    if command is None or not command.definition.has_field("Connected"):
        return None
    return "off" if str(command["Connected"]).upper() == "TRUE" else "acts"


def _height_m(watched: WatchedFlight) -> WatchedValue:
    return watched.flight.height_m if watched.known(*POSITION) else None


def _sink_mps(watched: WatchedFlight) -> WatchedValue:
    climb_mps = watched.flight.climb_mps if watched.known(*VELOCITY) else None
    return None if climb_mps is None else -climb_mps


def _distance_m(watched: WatchedFlight) -> WatchedValue:
    return watched.flight.distance_home_m if watched.known(*POSITION) else None


def _battery_v(watched: WatchedFlight) -> WatchedValue:
    return watched.flight.battery_v if watched.known(_BATTERY) else None


def _battery_percent(watched: WatchedFlight) -> WatchedValue:
    return watched.flight.battery_percent if watched.known(_BATTERY) else None


def _cells(watched: WatchedFlight) -> int:
    """The number of cells the board goes by; 1 where its thresholds are those of the pack."""
    settings = watched.known(_BATTERY_SETTINGS)
    if settings is None or not settings.definition.has_field("CellVoltageThresholds"):
        return 1
    state = watched.known(_BATTERY)
    if state is not None and state.definition.has_field("NbCells"):
        return int(state["NbCells"])
    return int(settings["NbCells"]) if settings.definition.has_field("NbCells") else 0


def _cell_v(watched: WatchedFlight) -> WatchedValue:
    pack_v, cells = _battery_v(watched), _cells(watched)
    return pack_v / cells if isinstance(pack_v, float) and cells > 0 else None


def _threshold_v(watched: WatchedFlight, *elements: str) -> WatchedValue:
    """A threshold of the aircraft's own; None where there is none, or it is 0."""
    settings = watched.known(_BATTERY_SETTINGS)
    if settings is None:
        return None
    for name in ("CellVoltageThresholds", "VoltageThresholds"):
        if settings.definition.has_field(name):
            return _element(settings, name, elements)
    return None


def _element(sample: Sample, name: str, elements: tuple[str, ...]) -> float | None:
    known = sample.definition.field_named(name).element_names
    found = next((float(sample[f"{name}.{one}"]) for one in elements if one in known), None)
    return found or None


def _gps_fix(watched: WatchedFlight) -> WatchedValue:
    """ "lost" only for a fix that was there; before, there is "none"."""
    if not watched.known(*GPS):
        return None
    if watched.flight.has_fix:
        watched.seen.add("fix")
        return "there"
    return "lost" if "fix" in watched.seen else "none"


def _satellites(watched: WatchedFlight) -> WatchedValue:
    return watched.flight.gps_satellites if watched.known(*GPS) else None


def _link(watched: WatchedFlight) -> WatchedValue:
    """Known only of a link that was up once: one that is being set up is not lost."""
    status = watched.vehicle.status
    if status.is_heard:
        watched.seen.add("link")
        return "up"
    if "link" not in watched.seen:
        return None
    if status.state in _LOST:
        return "lost"
    return "silent" if status.is_silent else "late" if status.is_late else None


def _silent_s(watched: WatchedFlight) -> WatchedValue:
    return watched.vehicle.status.silent_s


def _link_percent(watched: WatchedFlight) -> WatchedValue:
    return watched.vehicle.status.quality_percent


def _recording(watched: WatchedFlight) -> WatchedValue:
    status = watched.vehicle.status
    if status.recording_error:
        return "stopped"
    return "runs" if status.recording_file else "off"


def _alarms(watched: WatchedFlight, level: Level) -> WatchedValue:
    if watched.known("SystemAlarms") is None:
        return None
    alarms = all_alarms(watched.recording, watched.t)
    return tuple(alarm.title for alarm in alarms if alarm.level is level)


def _notices(watched: WatchedFlight) -> WatchedValue:
    return tuple(n.title for n in notices_of(watched.vehicle).all if n.level >= Level.WARNING)


def _fence_finding(watched: WatchedFlight) -> Finding | None:
    found = notices_of(watched.vehicle).all
    return next((one for one in found if one.code in _FENCE_WORDS), None)


def _fence(watched: WatchedFlight) -> WatchedValue:
    """What `FenceWatch` says; where it does not know, nobody does."""
    found = _fence_finding(watched)
    return "clear" if found is None else _FENCE_WORDS[found.code]


def _fence_text(watched: WatchedFlight) -> WatchedValue:
    found = _fence_finding(watched)
    return None if found is None else found.text.rstrip(".")


_ARMED, _MODE = (FirmwareNeed(("FlightStatus",), (field,)) for field in ("Armed", "FlightMode"))
_PLACE, _CLIMB = FirmwareNeed(POSITION, ("Down",)), FirmwareNeed(VELOCITY, ("Down",))
_PACK_V = FirmwareNeed((_BATTERY,), ("Voltage",))
_CONSUMED = FirmwareNeed((_BATTERY,), ("ConsumedEnergy",))
_CAPACITY = FirmwareNeed((_BATTERY_SETTINGS,), ("Capacity",))
_THRESHOLDS = FirmwareNeed((_BATTERY_SETTINGS,), ("CellVoltageThresholds", "VoltageThresholds"))
_FIX, _ALARMS = FirmwareNeed(GPS, ("Status",)), FirmwareNeed(("SystemAlarms",), ("Alarm",))

_OWN: Final = {
    "armed": StationValue("Armed or Disarmed", _armed, needs=(_ARMED,)),
    "flight_mode": StationValue("flight mode", _flight_mode, needs=(_MODE,)),
    "failsafe": StationValue(
        "failsafe of the receiver: acts, off",
        _failsafe,
        needs=(FirmwareNeed(("ManualControlCommand",), ("Connected",)),),
    ),
    "height_m": StationValue("height above home", _height_m, "m", needs=(_PLACE,)),
    "sink_mps": StationValue("sink rate, positive downwards", _sink_mps, "m/s", needs=(_CLIMB,)),
    "distance_m": StationValue("distance from home", _distance_m, "m", needs=(_PLACE,)),
    "fence": StationValue(
        "fences of the plan, if any: clear, near, crossed", _fence, needs_link=False
    ),
    "fence_text": StationValue("how far from a fence of the plan", _fence_text, needs_link=False),
    "battery_v": StationValue("voltage of the pack", _battery_v, "V", needs=(_PACK_V,)),
    "battery_percent": StationValue(
        "charge left, by what was consumed", _battery_percent, "%", needs=(_CONSUMED, _CAPACITY)
    ),
    "cell_v": StationValue("voltage per cell", _cell_v, "V", needs=(_PACK_V,)),
    "cell_warning_v": StationValue(
        "the aircraft's own first threshold",
        lambda w: _threshold_v(w, "Warning"),
        "V",
        needs=(_THRESHOLDS,),
    ),
    "cell_critical_v": StationValue(
        "the aircraft's own second threshold",
        lambda w: _threshold_v(w, *_WORST),
        "V",
        needs=(_THRESHOLDS,),
    ),
    "gps_fix": StationValue("there, lost, or none so far", _gps_fix, needs=(_FIX,)),
    "satellites": StationValue(
        "satellites in use", _satellites, needs=(FirmwareNeed(GPS, ("Satellites",)),)
    ),
    "link": StationValue("up, late, silent or lost", _link, needs_link=False),
    "silent_s": StationValue("how long nothing was heard", _silent_s, "s", needs_link=False),
    "link_percent": StationValue("share of what arrives whole", _link_percent, "%"),
    "recording": StationValue("runs, stopped or off", _recording, needs_link=False),
    "alarms": StationValue(
        "alarms that forbid flying", lambda w: _alarms(w, Level.ERROR), needs=(_ALARMS,)
    ),
    "alarm_warnings": StationValue(
        "alarms that warn", lambda w: _alarms(w, Level.WARNING), needs=(_ALARMS,)
    ),
    "notices": StationValue("what the station says of it", _notices, needs_link=False),
}

STATION_VALUES: Final = Registry("warning_values", _OWN)
"""By the name that rules call them."""
