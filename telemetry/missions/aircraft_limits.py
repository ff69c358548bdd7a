"""Mission aircraft: what limits a mission, from the settings of the aircraft that flies it.

The settings come from a board, a log or a preset alike: whoever has them says what a field's value
is (`ReadSetting`). What nobody knows stays None and is not judged.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from telemetry.base.finding import Finding
from telemetry.missions.waypoint_options import AircraftFamily
from telemetry.recording.lift_off import check_lift_off
from telemetry.recording.recording import Recording

ReadSetting = Callable[[str, str], Any]
"""The value of a field, by the names of object and field ("ThrustLimits.Min" for an element), or
None if it is not known."""

MOST_INSTANCES: Final = 1000
"""UAVOBJ_MAX_INSTANCES of flight/uavobjects/inc/uavobjectmanager.h."""
MOST_ACTIONS: Final = 255
"""Waypoint.Action is one byte."""
_GRAVITY: Final = 9.81
_CUSTOM: Final = ("Custom", "VTOL")
_CUSTOM_AS: Final = {
    "FixedWing": AircraftFamily.FIXED_WING,
    "VTOL": AircraftFamily.MULTIROTOR,
    "Ground": AircraftFamily.GROUND,
}
_NAVIGATING: Final = (
    "Complementary+Mag+GPSOutdoor",
    "GPS Navigation (INS13)",
    "GPS Navigation (INS13+CF)",
)
_NOT_NAVIGATING: Final = (
    "None",
    "Basic (Complementary)",
    "Complementary+Mag",
    "INS13Indoor",
    "Testing (INS Indoor+CF)",
    "Acro (No Sensors)",
)
_LIMITS: Final = {
    AircraftFamily.MULTIROTOR: "VtolPathFollowerSettings",
    AircraftFamily.FIXED_WING: "FixedWingPathFollowerSettings",
    AircraftFamily.GROUND: "GroundPathFollowerSettings",
}


@dataclass(frozen=True, slots=True)
class MissionAircraft:
    """What limits a mission. Speeds in m/s; None where nobody knows.

    `position_gain`: (m/s) per metre, with which a place is approached. `navigates`: whether the
    state estimation tells a position. `has_path_planner`: whether a position of the flight mode
    switch chooses PathPlanner. `lift_off`: what is to be said of taking off by itself.
    `change_s`, `begin_s`: time constants of a change of velocity, within a mode and just after the
    mode has changed. `warning_radius_m`, `error_radius_m`: the board's own fence.
    """

    name: str = ""
    family: AircraftFamily | None = None
    fastest_mps: float | None = None
    slowest_mps: float | None = None
    climb_mps: float | None = None
    position_gain: float | None = None
    take_off_height_m: float | None = None
    take_off_mps: float | None = None
    landing_mps: float | None = None
    change_s: float | None = None
    begin_s: float | None = None
    navigates: bool | None = None
    has_path_planner: bool | None = None
    most_waypoints: int = MOST_INSTANCES
    most_actions: int = MOST_ACTIONS
    warning_radius_m: float | None = None
    error_radius_m: float | None = None
    capacity_mah: float | None = None
    lift_off: Finding | None = None


def mission_aircraft(read: ReadSetting, name: str = "") -> MissionAircraft:
    """The aircraft with these settings."""
    family = _family(read)
    hovers = family is AircraftFamily.MULTIROTOR
    limits = _LIMITS.get(family, "") if family is not None else ""
    return MissionAircraft(
        name=name or str(read("SystemSettings", "VehicleName") or ""),
        family=family,
        fastest_mps=_number(read(limits, "HorizontalVelMax")),
        slowest_mps=_number(read(limits, "HorizontalVelMin")),
        climb_mps=_number(read(limits, "VerticalVelMax")),
        position_gain=_number(read(limits, "HorizontalPosP")),
        take_off_height_m=_number(read("FlightModeSettings", "AutoTakeOffHeight")),
        take_off_mps=_number(read("FlightModeSettings", "AutoTakeOffVelocity")),
        landing_mps=_number(read("FlightModeSettings", "LandingVelocity")),
        navigates=_navigates(read),
        has_path_planner=_has_path_planner(read),
        change_s=_change_s(read) if hovers else None,
        begin_s=_begin_s(read) if hovers else None,
        lift_off=check_lift_off(read) if hovers else None,
        warning_radius_m=_number(read("GeoFenceSettings", "WarningRadius")),
        error_radius_m=_number(read("GeoFenceSettings", "ErrorRadius")),
        capacity_mah=_number(read("FlightBatterySettings", "Capacity")) or None,
    )


def _change_s(read: ReadSetting) -> float | None:
    """HorizontalVelPID.Kp makes degrees of tilt of a velocity error (pidcontrolne.cpp), and gravity
    an acceleration of these."""
    gain = _number(read("VtolPathFollowerSettings", "HorizontalVelPID.Kp"))
    return 1.0 / (_GRAVITY * math.radians(gain)) if gain else None


def _begin_s(read: ReadSetting) -> float | None:
    """A controller that begins has lost its integral, which holds against drag (Activate of
    pidcontrolne.cpp): it has to be summed up again."""
    gain = _number(read("VtolPathFollowerSettings", "HorizontalVelPID.Kp"))
    integral = _number(read("VtolPathFollowerSettings", "HorizontalVelPID.Ki"))
    return gain / integral if gain and integral else _change_s(read)


def settings_in(recording: Recording, t: float) -> ReadSetting:
    """The settings of a recording as they were at `t`."""

    def read(name: str, path: str) -> Any:
        sample = recording.latest(name, t) if name else None
        if sample is None:
            return None
        try:
            return sample[path]
        except KeyError:
            return None

    return read


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _family(read: ReadSetting) -> AircraftFamily | None:
    """As GetCurrentFrameType (flight/libraries/sanitycheck.c) and SettingsUpdatedCb."""
    frame = read("SystemSettings", "AirframeType")
    if not isinstance(frame, str):
        return None
    if frame in _CUSTOM:
        return _CUSTOM_AS.get(str(read("VtolPathFollowerSettings", "TreatCustomCraftAs")))
    if frame.startswith("FixedWing"):
        return AircraftFamily.FIXED_WING
    if frame.startswith("GroundVehicle"):
        return AircraftFamily.GROUND
    return AircraftFamily.MULTIROTOR


def _navigates(read: ReadSetting) -> bool | None:
    """By RevoSettings.FusionAlgorithm, as flight/libraries/sanitycheck.c has it. Releases with
    other names for it are not judged."""
    fusion = read("RevoSettings", "FusionAlgorithm")
    return True if fusion in _NAVIGATING else False if fusion in _NOT_NAVIGATING else None


def _has_path_planner(read: ReadSetting) -> bool | None:
    positions = read("FlightModeSettings", "FlightModePosition")
    count = read("ManualControlSettings", "FlightModeNumber")
    if positions is None:
        return None
    return "PathPlanner" in positions[: int(count) if count else None]
