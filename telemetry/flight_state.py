"""What an aircraft is doing at one instant, read from a recording whatever its release calls it.

The families renamed objects over the years (AttitudeActual became AttitudeState) and changed
units (PositionActual was in centimetres before 2012). Instruments, map and alarm strip read this
one value instead of knowing that history. Nothing here keeps state.
"""

import math
from dataclasses import dataclass

from telemetry.objects.definition import FieldType
from telemetry.recording.recording import Recording, Sample

ATTITUDE = ("AttitudeState", "AttitudeActual")
POSITION = ("PositionState", "PositionActual")
VELOCITY = ("VelocityState", "VelocityActual")
GPS = ("GPSPositionSensor", "GPSPosition")
BARO = ("BaroSensor", "BaroAltitude")
AIRSPEED = ("AirspeedState", "AirspeedActual", "BaroAirspeed")
ACCELERATION = ("AccelState", "AccelSensor", "Accels")

ESTIMATE_LASTS_S = 5.0
"""A position estimate so much older than the receiver's place no longer tells where it is."""

_CENTI_UNITS = {"cm", "cm/s"}
_EARTH_RADIUS_M = 6_378_137.0
_ANGLE_MODES = {"Attitude", "AttitudePlus", "Rattitude", "WeakLeveling", "Horizon"}


@dataclass(frozen=True, slots=True)
class FlightState:
    """One instant of one flight. None means the aircraft has not said so up to then.

    Angles are degrees: roll right, pitch up, yaw clockwise from north, positive. `north_m`,
    `east_m` and `height_m` are relative to home (height up); `altitude_m` is above sea level.
    Ages are seconds since the value arrived. `lateral_mps2` is the body's sideways specific
    force (right positive), which a slip ball shows.
    """

    t: float
    roll_deg: float | None = None
    pitch_deg: float | None = None
    yaw_deg: float | None = None
    attitude_age_s: float | None = None
    north_m: float | None = None
    east_m: float | None = None
    height_m: float | None = None
    position_age_s: float | None = None
    altitude_m: float | None = None
    climb_mps: float | None = None
    velocity_north_mps: float | None = None
    velocity_east_mps: float | None = None
    groundspeed_mps: float | None = None
    course_deg: float | None = None
    airspeed_mps: float | None = None
    lateral_mps2: float | None = None
    latitude_deg: float | None = None
    longitude_deg: float | None = None
    home_latitude_deg: float | None = None
    home_longitude_deg: float | None = None
    home_altitude_m: float | None = None
    gps_fix: str | None = None
    gps_satellites: int | None = None
    gps_pdop: float | None = None
    gps_age_s: float | None = None
    battery_v: float | None = None
    battery_a: float | None = None
    battery_percent: float | None = None
    consumed_mah: float | None = None
    armed: str | None = None
    flight_mode: str | None = None
    throttle: float | None = None
    desired_roll_deg: float | None = None
    desired_pitch_deg: float | None = None
    desired_yaw_deg: float | None = None
    desired_north_m: float | None = None
    desired_east_m: float | None = None
    desired_height_m: float | None = None
    flight_time_s: float | None = None

    @property
    def is_armed(self) -> bool:
        """Whether the motors may turn."""
        return self.armed == "Armed"

    @property
    def has_fix(self) -> bool:
        """Whether the receiver reports at least a two-dimensional position."""
        return self.gps_fix not in (None, "NoGPS", "NoFix")

    @property
    def distance_home_m(self) -> float | None:
        """Horizontal distance from home."""
        if self.north_m is None or self.east_m is None:
            return None
        return math.hypot(self.north_m, self.east_m)


def read_flight_state(recording: Recording, t: float) -> FlightState:
    """Read everything known at `t` (seconds since the recording's start)."""
    found: dict[str, float | int | str | None] = {}
    found.update(_attitude(recording, t))
    found.update(_motion(recording, t))
    found.update(_home(recording, t))
    found.update(_gps(recording, t))
    found.update(_battery(recording, t))
    found.update(_control(recording, t))
    _complete_place(found)
    return FlightState(t=t, **found)  # type: ignore[arg-type]


def offset_latlon(
    latitude_deg: float, longitude_deg: float, north_m: float, east_m: float
) -> tuple[float, float]:
    """Move a place by metres on the equirectangular projection the firmware uses for home.

    Good to a few centimetres within 10 km of the reference (seed 001, GPS simulation).
    """
    latitude = latitude_deg + math.degrees(north_m / _EARTH_RADIUS_M)
    shrink = max(math.cos(math.radians(latitude_deg)), 1e-6)
    longitude = longitude_deg + math.degrees(east_m / (_EARTH_RADIUS_M * shrink))
    return latitude, longitude


def offset_m(
    latitude_deg: float, longitude_deg: float, to_latitude_deg: float, to_longitude_deg: float
) -> tuple[float, float]:
    """Metres north and east from the first place to the second; undoes `offset_latlon`."""
    shrink = max(math.cos(math.radians(latitude_deg)), 1e-6)
    north_m = math.radians(to_latitude_deg - latitude_deg) * _EARTH_RADIUS_M
    east_m = math.radians(to_longitude_deg - longitude_deg) * _EARTH_RADIUS_M * shrink
    return north_m, east_m


def newest(recording: Recording, names: tuple[str, ...], t: float) -> Sample | None:
    """The latest sample at `t` of the first of these objects that the aircraft has sent."""
    for name in names:
        sample = recording.latest(name, t)
        if sample is not None:
            return sample
    return None


def _number(sample: Sample | None, field: str) -> float | None:
    """A finite field value in SI units, or None where the release has no such field."""
    if sample is None or not sample.definition.has_field(field):
        return None
    definition = sample.definition.field_named(field)
    value = float(sample.raw(field))
    if definition.type is FieldType.FLOAT and not math.isfinite(value):
        return None
    return value / 100.0 if definition.units in _CENTI_UNITS else value


def _text(sample: Sample | None, field: str) -> str | None:
    if sample is None or not sample.definition.has_field(field):
        return None
    return str(sample[field])


def _age(sample: Sample | None, t: float) -> float | None:
    return None if sample is None else max(0.0, t - sample.t)


def _attitude(recording: Recording, t: float) -> dict[str, float | None]:
    attitude = newest(recording, ATTITUDE, t)
    yaw = _number(attitude, "Yaw")
    return {
        "roll_deg": _number(attitude, "Roll"),
        "pitch_deg": _number(attitude, "Pitch"),
        "yaw_deg": None if yaw is None else yaw % 360.0,
        "attitude_age_s": _age(attitude, t),
        "lateral_mps2": _number(newest(recording, ACCELERATION, t), "y"),
    }


def _motion(recording: Recording, t: float) -> dict[str, float | None]:
    position = newest(recording, POSITION, t)
    velocity = newest(recording, VELOCITY, t)
    down = _number(position, "Down")
    north_mps, east_mps = _number(velocity, "North"), _number(velocity, "East")
    down_mps = _number(velocity, "Down")
    moving = north_mps is not None and east_mps is not None
    return {
        "north_m": _number(position, "North"),
        "east_m": _number(position, "East"),
        "height_m": None if down is None else -down,
        "position_age_s": _age(position, t),
        "climb_mps": None if down_mps is None else -down_mps,
        "velocity_north_mps": north_mps,
        "velocity_east_mps": east_mps,
        "groundspeed_mps": math.hypot(north_mps or 0.0, east_mps or 0.0) if moving else None,
        "course_deg": math.degrees(math.atan2(east_mps or 0.0, north_mps or 0.0)) % 360.0
        if moving
        else None,
        "airspeed_mps": _number(newest(recording, AIRSPEED, t), "CalibratedAirspeed"),
    }


def _home(recording: Recording, t: float) -> dict[str, float | None]:
    home = recording.latest("HomeLocation", t)
    is_set = (_text(home, "Set") or "").upper() == "TRUE"
    latitude, longitude = _number(home, "Latitude"), _number(home, "Longitude")
    if not is_set or latitude is None or longitude is None:
        return {}
    return {
        "home_latitude_deg": latitude * 1e-7,
        "home_longitude_deg": longitude * 1e-7,
        "home_altitude_m": _number(home, "Altitude"),
    }


def _gps(recording: Recording, t: float) -> dict[str, float | int | str | None]:
    gps = newest(recording, GPS, t)
    if gps is None:
        return {}
    found: dict[str, float | int | str | None] = {
        "gps_fix": _text(gps, "Status"),
        "gps_satellites": int(_number(gps, "Satellites") or 0),
        "gps_pdop": _number(gps, "PDOP"),
        "gps_age_s": _age(gps, t),
    }
    latitude, longitude = _number(gps, "Latitude"), _number(gps, "Longitude")
    if found["gps_fix"] not in (None, "NoGPS", "NoFix") and (latitude or longitude):
        found["latitude_deg"] = (latitude or 0.0) * 1e-7
        found["longitude_deg"] = (longitude or 0.0) * 1e-7
        found["altitude_m"] = _number(gps, "Altitude")
    return found


def _battery(recording: Recording, t: float) -> dict[str, float | None]:
    battery = recording.latest("FlightBatteryState", t)
    consumed = _number(battery, "ConsumedEnergy")
    capacity = _number(recording.latest("FlightBatterySettings", t), "Capacity")
    percent = None
    if consumed is not None and capacity:
        percent = min(100.0, max(0.0, 100.0 * (1.0 - consumed / capacity)))
    return {
        "battery_v": _number(battery, "Voltage"),
        "battery_a": _number(battery, "Current"),
        "battery_percent": percent,
        "consumed_mah": consumed,
    }


def _control(recording: Recording, t: float) -> dict[str, float | str | None]:
    status = recording.latest("FlightStatus", t)
    flight_time_ms = _number(recording.latest("SystemStats", t), "FlightTime")
    found: dict[str, float | str | None] = {
        "armed": _text(status, "Armed"),
        "flight_mode": _text(status, "FlightMode"),
        "throttle": _number(recording.latest("ManualControlCommand", t), "Throttle"),
        "flight_time_s": None if flight_time_ms is None else flight_time_ms / 1000.0,
    }
    if found["armed"] == "Armed":
        found.update(_desired_attitude(recording, t))
        found.update(_desired_place(recording, t))
    return found


def _desired_attitude(recording: Recording, t: float) -> dict[str, float | None]:
    """Commanded angles; an axis in another mode (rate, manual) has none."""
    desired = recording.latest("StabilizationDesired", t)
    if desired is None or not desired.definition.has_field("StabilizationMode"):
        return {}
    found = {}
    for axis in ("Roll", "Pitch", "Yaw"):
        if desired[f"StabilizationMode.{axis}"] in _ANGLE_MODES:
            found[f"desired_{axis.lower()}_deg"] = _number(desired, axis)
    return found


def _desired_place(recording: Recording, t: float) -> dict[str, float | None]:
    """The place the path follower steers to, while it is in charge."""
    status = recording.latest("FlightStatus", t)
    path = recording.latest("PathDesired", t)
    if status is None or path is None or not status.definition.has_field("ControlChain"):
        return {}
    in_charge = str(status["ControlChain.PathFollower"]).upper() == "TRUE"
    if not in_charge or path.definition.field_named("End").elements != 3:
        return {}
    north, east, down = (float(value) for value in path.raw("End"))
    return {"desired_north_m": north, "desired_east_m": east, "desired_height_m": -down}


def _complete_place(found: dict[str, float | int | str | None]) -> None:
    """Derive what the aircraft did not send itself from what it did.

    The estimated position counts before the receiver's, unless the estimate has fallen silent
    while the receiver goes on (some firmware sends it once only).
    """
    home = (found.get("home_latitude_deg"), found.get("home_longitude_deg"))
    height, home_altitude = found.get("height_m"), found.get("home_altitude_m")
    if _is_estimate_outdated(found):
        _take_receiver(found)
        return
    if isinstance(height, float) and isinstance(home_altitude, float):
        found["altitude_m"] = home_altitude + height
    if not isinstance(home[0], float) or not isinstance(home[1], float):
        return
    north, east = found.get("north_m"), found.get("east_m")
    if isinstance(north, float) and isinstance(east, float):
        place = offset_latlon(home[0], home[1], north, east)
        found["latitude_deg"], found["longitude_deg"] = place


def _take_receiver(found: dict[str, float | int | str | None]) -> None:
    """Everything about the place from the receiver, so that nothing old stands beside it."""
    place = (found.get("latitude_deg"), found.get("longitude_deg"))
    home = (found.get("home_latitude_deg"), found.get("home_longitude_deg"))
    found["position_age_s"] = found.get("gps_age_s")
    found["north_m"] = found["east_m"] = None
    altitude_m, home_m = found.get("altitude_m"), found.get("home_altitude_m")
    has_heights = isinstance(altitude_m, float) and isinstance(home_m, float)
    found["height_m"] = altitude_m - home_m if has_heights else None  # type: ignore[operator]
    if all(isinstance(number, float) for number in (*place, *home)):
        found["north_m"], found["east_m"] = offset_m(*home, *place)  # type: ignore[arg-type]


def _is_estimate_outdated(found: dict[str, float | int | str | None]) -> bool:
    estimate_age_s, gps_age_s = found.get("position_age_s"), found.get("gps_age_s")
    if not isinstance(estimate_age_s, float) or not isinstance(gps_age_s, float):
        return False
    has_place = found.get("latitude_deg") is not None
    return has_place and estimate_age_s - gps_age_s > ESTIMATE_LASTS_S
