"""Flight state: what an aircraft is doing at one instant, whatever its release calls it.

The families renamed objects over the years (AttitudeActual became AttitudeState) and changed
units (PositionActual was in centimetres before 2012). Instruments, map and alarm strip read this
one value instead of knowing that history. The last ones of each recording are remembered,
because all views ask for the same instants.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from telemetry.base.earth.tangent_plane import plane_at
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.gps_fix import GPS, height_flags, tells_height, tells_place
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.recording.track import Track

ATTITUDE = ("AttitudeState", "AttitudeActual")
POSITION = ("PositionState", "PositionActual")
VELOCITY = ("VelocityState", "VelocityActual")
BARO = ("BaroSensor", "BaroAltitude")
AIRSPEED = ("AirspeedState", "AirspeedActual", "BaroAirspeed")
ACCELERATION = ("AccelState", "AccelSensor", "Accels")
RENAMED = (ATTITUDE, POSITION, VELOCITY, GPS, BARO, AIRSPEED, ACCELERATION)
"""The names of one object in the releases, the newest first."""

ESTIMATE_LASTS_S = 5.0
"""A position estimate so much older than the receiver's place no longer tells where it is."""

CENTI_UNITS = {"cm", "cm/s"}
_NOWHERE = (None, None)
_ANGLE_MODES = {"Attitude", "AttitudePlus", "Rattitude", "WeakLeveling", "Horizon"}


@dataclass(frozen=True, slots=True)
class FlightState:
    """One instant of one flight. None means the aircraft has not said so up to then.

    Angles are degrees: roll right, pitch up, yaw clockwise from north, positive. `north_m`,
    `east_m` and `height_m` are relative to home (height up); `altitude_m` is above sea level.
    Ages are seconds since the value arrived. `armed_s` is how long it has been armed, or was armed
    the last time. `lateral_mps2` is the body's sideways specific
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
    armed_s: float | None = None

    @property
    def is_armed(self) -> bool:
        """Whether the motors may turn."""
        return self.armed == "Armed"

    @property
    def has_fix(self) -> bool:
        """Whether the receiver reports at least a two-dimensional position."""
        return tells_place(self.gps_fix)

    @property
    def distance_home_m(self) -> float | None:
        """Horizontal distance from home."""
        if self.north_m is None or self.east_m is None:
            return None
        return math.hypot(self.north_m, self.east_m)


_read_before: "WeakKeyDictionary[Recording, tuple[int, dict[float, FlightState]]]"
_read_before = WeakKeyDictionary()
_KEPT = 4
"""So many instants of a recording are remembered: that of the cursor, and now."""


def read_flight_state(recording: Recording, t: float) -> FlightState:
    """Read everything known at `t` (seconds since the recording's start)."""
    version = recording.version  # read first: what arrives meanwhile is of the next one
    read_version, states = _read_before.get(recording, (-1, {}))
    if read_version != version or (t not in states and len(states) >= _KEPT):
        states = {}
        _read_before[recording] = version, states
    state = states.get(t)
    if state is None:
        state = states[t] = _read(recording, t)
    return state


def _read(recording: Recording, t: float) -> FlightState:
    attitude = newest(recording, ATTITUDE, t)
    yaw = _number(attitude, "Yaw")
    velocity = newest(recording, VELOCITY, t)
    north_mps, east_mps = _number(velocity, "North"), _number(velocity, "East")
    home, fix = _read_home(recording, t), _read_fix(recording, t)
    place = _place(_read_estimate(recording, t), home, fix)
    home_latitude_deg, home_longitude_deg = home.place or _NOWHERE
    battery = recording.latest("FlightBatteryState", t)
    status = recording.latest("FlightStatus", t)
    armed = _text(status, "Armed")
    steered = _read_steered(recording, t) if armed == "Armed" else _Steered()
    target = _read_target(recording, t) if armed == "Armed" else _Offset()
    return FlightState(
        t=t,
        roll_deg=_number(attitude, "Roll"),
        pitch_deg=_number(attitude, "Pitch"),
        yaw_deg=None if yaw is None else yaw % 360.0,
        attitude_age_s=_age(attitude, t),
        **place._asdict(),
        climb_mps=_negated(_number(velocity, "Down")),
        velocity_north_mps=north_mps,
        velocity_east_mps=east_mps,
        groundspeed_mps=_groundspeed_mps(north_mps, east_mps),
        course_deg=_course_deg(north_mps, east_mps),
        airspeed_mps=_number(newest(recording, AIRSPEED, t), "CalibratedAirspeed"),
        lateral_mps2=_number(newest(recording, ACCELERATION, t), "y"),
        home_latitude_deg=home_latitude_deg,
        home_longitude_deg=home_longitude_deg,
        home_altitude_m=home.altitude_m,
        gps_fix=fix.status,
        gps_satellites=fix.satellites,
        gps_pdop=fix.pdop,
        gps_age_s=fix.age_s,
        battery_v=_sensed(battery, "Voltage"),
        battery_a=_sensed(battery, "Current"),
        battery_percent=_percent(battery, recording.latest("FlightBatterySettings", t)),
        consumed_mah=_number(battery, "ConsumedEnergy"),
        armed=armed,
        flight_mode=_text(status, "FlightMode"),
        throttle=_number(recording.latest("ManualControlCommand", t), "Throttle"),
        **steered._asdict(),
        desired_north_m=target.north_m,
        desired_east_m=target.east_m,
        desired_height_m=target.height_m,
        armed_s=_armed_s(recording, t),
    )


def armed_spans(recording: Recording | None, end_s: float) -> list[tuple[float, float]]:
    """When the aircraft was armed: (start, end) pairs."""
    if recording is None:
        return []
    track = recording.track("FlightStatus")
    if track is None or not track.definition.has_field("Armed"):
        return []
    changes = _armed_changes(track)
    bounds = [*changes, end_s] if len(changes) % 2 else changes
    return list(zip(bounds[::2], bounds[1::2], strict=True))


def disarmed_spans(recording: Recording) -> list[tuple[float, float]]:
    """When the aircraft was known to be disarmed: (start, end) pairs."""
    track = recording.track("FlightStatus")
    if track is None or not track.count or not track.definition.has_field("Armed"):
        return []
    bounds = [float(track.times[0])]
    for armed_s, disarmed_s in armed_spans(recording, recording.last_s):
        bounds += [armed_s, disarmed_s]
    bounds.append(recording.last_s)
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return [(start_s, end_s) for start_s, end_s in pairs if end_s > start_s]


_changes_before: "WeakKeyDictionary[Track, tuple[int, ObjectDefinition, list[float]]]"
_changes_before = WeakKeyDictionary()


def _armed_changes(track: Track) -> list[float]:
    """When a FlightStatus armed, disarmed, armed again, and so on. Do not write to it."""
    count, definition = track.count, track.definition
    read_count, read_as, changes = _changes_before.get(track, (-1, definition, []))
    if read_count != count or read_as is not definition:
        options = definition.field_named("Armed").options
        is_armed = track.values("Armed")[:count] == (
            options.index("Armed") if "Armed" in options else -1
        )
        changed = np.flatnonzero(np.diff(is_armed, prepend=False))
        changes = track.times[changed].tolist()
        _changes_before[track] = (count, definition, changes)
    return changes


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
    value = float(sample.raw(field))
    if not math.isfinite(value):
        return None
    units = sample.definition.field_named(field).units
    return value / 100.0 if units in CENTI_UNITS else value


def _text(sample: Sample | None, field: str) -> str | None:
    if sample is None or not sample.definition.has_field(field):
        return None
    return str(sample[field])


def _age(sample: Sample | None, t: float) -> float | None:
    return None if sample is None else max(0.0, t - sample.t)


def _negated(value: float | None) -> float | None:
    return None if value is None else -value


def _armed_s(recording: Recording, t: float) -> float | None:
    """How long the aircraft has been armed at `t`, or was when it last was; None before it was."""
    begun = [(start, end) for start, end in armed_spans(recording, t) if start <= t]
    return min(begun[-1][1], t) - begun[-1][0] if begun else None


def _groundspeed_mps(north_mps: float | None, east_mps: float | None) -> float | None:
    if north_mps is None or east_mps is None:
        return None
    return math.hypot(north_mps, east_mps)


def _course_deg(north_mps: float | None, east_mps: float | None) -> float | None:
    if north_mps is None or east_mps is None:
        return None
    return math.degrees(math.atan2(east_mps, north_mps)) % 360.0


def _sensed(battery: Sample | None, field: str) -> float | None:
    """What the power sensor measures; exactly 0 is what firmware sends that has none."""
    return _number(battery, field) or None


def _percent(battery: Sample | None, settings: Sample | None) -> float | None:
    """Charge left; unknown while nothing was consumed, as it stays without a current sensor."""
    consumed, capacity = _sensed(battery, "ConsumedEnergy"), _number(settings, "Capacity")
    if consumed is None or not capacity:
        return None
    return min(100.0, max(0.0, 100.0 * (1.0 - consumed / capacity)))


class _Steered(NamedTuple):
    """Commanded angles; an axis in another mode (rate, manual) has none."""

    desired_roll_deg: float | None = None
    desired_pitch_deg: float | None = None
    desired_yaw_deg: float | None = None


def _read_steered(recording: Recording, t: float) -> _Steered:
    desired = recording.latest("StabilizationDesired", t)
    if desired is None or not desired.definition.has_field("StabilizationMode"):
        return _Steered()
    return _Steered(*(_commanded_deg(desired, axis) for axis in ("Roll", "Pitch", "Yaw")))


def _commanded_deg(desired: Sample, axis: str) -> float | None:
    is_angle = desired[f"StabilizationMode.{axis}"] in _ANGLE_MODES
    return _number(desired, axis) if is_angle else None


class _Offset(NamedTuple):
    """A place relative to home, height up, and how old it is."""

    north_m: float | None = None
    east_m: float | None = None
    height_m: float | None = None
    age_s: float | None = None


def _read_estimate(recording: Recording, t: float) -> _Offset:
    position = newest(recording, POSITION, t)
    north_m, east_m = _number(position, "North"), _number(position, "East")
    return _Offset(north_m, east_m, _negated(_number(position, "Down")), _age(position, t))


def _read_target(recording: Recording, t: float) -> _Offset:
    """The place the path follower steers to, while it is in charge."""
    status = recording.latest("FlightStatus", t)
    path = recording.latest("PathDesired", t)
    if status is None or path is None or not status.definition.has_field("ControlChain"):
        return _Offset()
    in_charge = str(status["ControlChain.PathFollower"]).upper() == "TRUE"
    if not in_charge or path.definition.field_named("End").elements != 3:
        return _Offset()
    north, east, down = (float(value) for value in path.raw("End"))
    return _Offset(north, east, -down)


class _Home(NamedTuple):
    """Latitude and longitude of home; nothing while it is not set."""

    place: tuple[float, float] | None = None
    altitude_m: float | None = None


def _read_home(recording: Recording, t: float) -> _Home:
    home = recording.latest("HomeLocation", t)
    latitude, longitude = _number(home, "Latitude"), _number(home, "Longitude")
    if home is None or not _is_set(home) or latitude is None or longitude is None:
        return _Home()
    return _Home((latitude * 1e-7, longitude * 1e-7), home_above_sea_m(recording, home))


_separations_m: "WeakKeyDictionary[Recording, dict[float, float]]" = WeakKeyDictionary()
"""What to take off an altitude of home to have it above sea level, once a fix has decided that."""


def home_above_sea_m(recording: Recording, home: Sample) -> float | None:
    """The altitude of a HomeLocation above sea level, in metres; None if it has none.

    OpenPilot and LibrePilot keep it above the ellipsoid: `Altitude + GeoidSeparation` of a fix
    (flight/modules/GPS/GPS.c, setHomeLocation), from which heights are estimated
    (flight/modules/StateEstimation/filterlla.c). Tau Labs and dRonin keep it above sea level
    (flight/Modules/Attitude/attitude.c, check_home_location). Stations have written either, and
    no object tells which: so it is the one that agrees with the receiver's first fix.
    """
    altitude_m = _number(home, "Altitude")
    if altitude_m is None:
        return None
    decided = _separations_m.setdefault(recording, {})
    if altitude_m not in decided:
        fix = _first_fix(recording)
        sea_m, separation_m = _number(fix, "Altitude"), _number(fix, "GeoidSeparation")
        if fix is None or sea_m is None or separation_m is None:
            return altitude_m
        apart_m = altitude_m + _height_over_home_m(recording, fix.t) - sea_m
        decided[altitude_m] = min(0.0, separation_m, key=lambda one: abs(apart_m - one))
    return altitude_m - decided[altitude_m]


def _first_fix(recording: Recording) -> Sample | None:
    for name in GPS:
        track = recording.track(name)
        if track is None or not track.definition.has_field("Status"):
            continue
        found = np.flatnonzero(height_flags(track, 0, None))
        if len(found):
            return track.sample(int(found[0]))
    return None


def _height_over_home_m(recording: Recording, t: float) -> float:
    """The estimated height, if home was set by then; 0 m otherwise, as on the ground."""
    down_m = _number(newest(recording, POSITION, t), "Down")
    if down_m is None or not _is_set(recording.latest("HomeLocation", t)):
        return 0.0
    return -down_m


def _is_set(home: Sample | None) -> bool:
    return (_text(home, "Set") or "").upper() == "TRUE"


class _Fix(NamedTuple):
    """What the receiver reports; latitude, longitude and altitude only with a fix."""

    status: str | None = None
    satellites: int | None = None
    pdop: float | None = None
    age_s: float | None = None
    place: tuple[float, float] | None = None
    altitude_m: float | None = None


def _read_fix(recording: Recording, t: float) -> _Fix:
    gps = newest(recording, GPS, t)
    if gps is None:
        return _Fix()
    status, satellites = _text(gps, "Status"), int(_number(gps, "Satellites") or 0)
    fix = _Fix(status, satellites, _number(gps, "PDOP"), _age(gps, t))
    latitude, longitude = _number(gps, "Latitude") or 0.0, _number(gps, "Longitude") or 0.0
    if not tells_place(status) or not (latitude or longitude):
        return fix
    altitude_m = _number(gps, "Altitude") if tells_height(status) else None
    return fix._replace(place=(latitude * 1e-7, longitude * 1e-7), altitude_m=altitude_m)


class _Place(NamedTuple):
    """Where an aircraft is, relative to home and on earth."""

    north_m: float | None
    east_m: float | None
    height_m: float | None
    position_age_s: float | None
    altitude_m: float | None
    latitude_deg: float | None
    longitude_deg: float | None


def _place(estimate: _Offset, home: _Home, fix: _Fix) -> _Place:
    """Derive what the aircraft did not send itself from what it did.

    The estimated position counts before the receiver's, unless the estimate has fallen silent
    while the receiver goes on (some firmware sends it once only).
    """
    if _is_outdated(estimate, fix):
        return _place_of_receiver(home, fix)
    altitude_m = fix.altitude_m
    if estimate.height_m is not None and home.altitude_m is not None:
        altitude_m = home.altitude_m + estimate.height_m
    place = fix.place or _NOWHERE
    if home.place is not None and estimate.north_m is not None and estimate.east_m is not None:
        plane = plane_at(*home.place, home.altitude_m or 0.0)
        place = plane.latitude_longitude(estimate.north_m, estimate.east_m)
    return _Place(*estimate, altitude_m, *place)


def _place_of_receiver(home: _Home, fix: _Fix) -> _Place:
    """Everything about the place from the receiver, so that nothing old stands beside it."""
    height_m = north_m = east_m = None
    if fix.altitude_m is not None and home.altitude_m is not None:
        height_m = fix.altitude_m - home.altitude_m
    if fix.place is not None and home.place is not None:
        north_m, east_m = plane_at(*home.place, home.altitude_m or 0.0).north_east(*fix.place)
    return _Place(north_m, east_m, height_m, fix.age_s, fix.altitude_m, *(fix.place or _NOWHERE))


def _is_outdated(estimate: _Offset, fix: _Fix) -> bool:
    if estimate.age_s is None or fix.age_s is None or fix.place is None:
        return False
    return estimate.age_s - fix.age_s > ESTIMATE_LASTS_S
