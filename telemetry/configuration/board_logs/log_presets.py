"""Log presets: what a board logs for a purpose, as data."""

from dataclasses import dataclass
from typing import Final

from telemetry.recording.flight_state import (
    ACCELERATION,
    AIRSPEED,
    ATTITUDE,
    BARO,
    POSITION,
    VELOCITY,
)
from telemetry.recording.gps_fix import GPS

Names = tuple[str, ...]
_EVERY_CYCLE_MS, _FAST_MS, _SLOW_MS = 2, 4, 20
_GYROS: Final = ("GyroState", "Gyros")


@dataclass(frozen=True, slots=True)
class PresetObject:
    """An object by the names that releases gave it, how often it is logged on board, and whether a
    step response is read from it, so that it comes first on a slow link."""

    names: Names
    logged_ms: int
    is_judged: bool = False


@dataclass(frozen=True, slots=True)
class LogPreset:
    """Everything that is logged for a purpose; all else is logged each `others_ms`, or not where
    that is 0. `name` is its word on the command line."""

    name: str
    title: str
    about: str
    objects: tuple[PresetObject, ...] = ()
    others_ms: int = 0


FOR_TUNING: Final = (
    PresetObject(_GYROS, _FAST_MS, is_judged=True),
    PresetObject(("RateDesired",), _FAST_MS, is_judged=True),
    PresetObject(("ActuatorCommand",), _EVERY_CYCLE_MS),
    PresetObject(("StabilizationDesired",), _SLOW_MS, is_judged=True),
    PresetObject(ATTITUDE, _SLOW_MS, is_judged=True),
    PresetObject(("AccelState", "Accels"), _SLOW_MS),
    PresetObject(("ActuatorDesired",), _SLOW_MS),
)
"""What judges and identifies an aircraft: a delay is told by 250 Hz, and of kicks of the motors
that begin and end between two logged commands an identification makes torques that are 10 % wrong.
"""

TIME_SINCE_BOOT: Final = PresetObject(("SystemStats",), 1000)
"""By it the clock of the log is known where it has wrapped, between the first and the last one."""

_ALWAYS: Final = (
    PresetObject(("FlightStatus",), 500),
    PresetObject(("SystemAlarms",), 1000),
    TIME_SINCE_BOOT,
    PresetObject(("FlightBatteryState",), 1000),
)

_WHERE: Final = (
    PresetObject(POSITION, 250),
    PresetObject(VELOCITY, 250),
    PresetObject(GPS, 500),
    PresetObject(BARO, 500),
    PresetObject(AIRSPEED, 500),
)

LOG_PRESETS: Final = (
    LogPreset(
        "review",
        "Flight review",
        "Where it flew, how it lay, what was asked for, battery and alarms.",
        (
            *_ALWAYS,
            *_WHERE,
            PresetObject(ATTITUDE, 100),
            PresetObject(_GYROS, 200),
            PresetObject(ACCELERATION, 200),
            PresetObject(("ManualControlCommand",), 200),
            PresetObject(("StabilizationDesired",), 200),
            PresetObject(("ActuatorDesired",), 200),
        ),
    ),
    LogPreset(
        "tuning",
        "For tuning",
        "Gyros and what is asked of them at 250 Hz, every command of the motors: for step "
        "response, spectrum and identification.",
        (*_ALWAYS, *FOR_TUNING),
    ),
    LogPreset(
        "navigation",
        "Navigation",
        "Position, speeds and the path that was asked for, with the sensors they come from.",
        (
            *_ALWAYS,
            PresetObject(POSITION, 200),
            PresetObject(VELOCITY, 200),
            PresetObject(("VelocityDesired",), 200),
            PresetObject(("PathDesired",), 1000),
            PresetObject(("PathStatus",), 500),
            PresetObject(("WaypointActive",), 500),
            PresetObject(ATTITUDE, 100),
            PresetObject(GPS, 500),
            PresetObject(("GPSVelocitySensor", "GPSVelocity"), 500),
            PresetObject(BARO, 250),
            PresetObject(AIRSPEED, 500),
            PresetObject(("MagState", "Magnetometer"), 500),
        ),
    ),
    LogPreset(
        "video",
        "For a video",
        "Turns often enough to synchronise a video, and what instruments beside it show.",
        (*_ALWAYS, *_WHERE, PresetObject(ATTITUDE, 50), PresetObject(_GYROS, 20)),
    ),
    LogPreset("everything", "Everything slowly", "All that is measured, once a second.", (), 1000),
    LogPreset("nothing", "Nothing", "No object is logged, and the log is switched off."),
)
