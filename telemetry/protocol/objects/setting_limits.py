"""Setting limits: the one guard of what may be written to a board, whatever door it comes by.

The table below, and the limits of the definition (`field_limits.py`) for what is not in it: those
of gains and rates are the ranges of sliders, which racing quadrotors and our own aircraft exceed.
Each of ours follows from an effect, in the reason beside it. Forms, command lines, files and
sets judge by `setting_complaint` before they send, and the worker what anybody else posts.
"""

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from telemetry.base.number_text import significant
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.protocol.objects.field_limits import limits_of
from telemetry.protocol.objects.values import is_text, read_value


@dataclass(frozen=True, slots=True)
class SettingLimit:
    """A range, or options that need their own yes, of the fields ("Object.Field.Element") that a
    pattern matches whole; `reason` says what happens beyond, as a phrase, and `below` what else
    happens below."""

    pattern: str
    minimum: float | None
    maximum: float | None
    reason: str
    options: tuple[str, ...] = ()
    below: str = ""

    def complaint(self, value: float | str) -> str:
        """Why a value is refused, as a phrase; "" if it is not."""
        if isinstance(value, str):
            return f"{value}: {self.reason}" if value.casefold() in self.options else ""
        if self.minimum is not None and value < self.minimum:
            return f"less than {significant(self.minimum, 6)}: {self.below or self.reason}"
        if self.maximum is not None and value > self.maximum:
            return f"more than {significant(self.maximum, 6)}: {self.reason}"
        return ""


# A rate gyro of this class on a sound airframe shows about 5 deg/s of shaking in the band of the
# proportional term, of which about 1 deg/s below the 20 Hz of the derivative (2 pi 20 = 126 per
# second). A gain may turn that into half of an actuator's travel, which is 1:
# Kp = 0.5 / 5, Kd = 0.5 / 126, Ki = 0.5 of travel in 0.1 s at 10 deg/s. Templates of racing
# quadrotors reach 0.016, 0.0002 and 0.042, the weak yaw of simulated ones 0.06, 0 and 0.3.
_STAB = r"StabilizationSettings(Bank\d)?\."
_AXIS = r"(Roll|Pitch|Yaw)"
_NEGATIVE = "it drives the aircraft away from what is asked"
_HEIGHT = r"(AltitudeHoldSettings|VtolPathFollowerSettings)\."
_VERTICAL = rf"{_HEIGHT}(Land|AutoTakeoff)?VerticalVelPID\."
_ALONG = r"VtolPathFollowerSettings\.(Brake|VelocityRoam)?HorizontalVelPID\."

SETTING_LIMITS: Final = (
    # Stabilization: shares of the actuators' travel
    SettingLimit(
        _STAB + _AXIS + r"RatePID\.Kp",
        0,
        0.1,
        "5 deg/s of shaking take over half of the actuators",
        below=_NEGATIVE,
    ),
    SettingLimit(
        _STAB + _AXIS + r"RatePID\.Ki",
        0,
        0.5,
        "10 deg/s fill half of the actuators within 0.1 s",
        below=_NEGATIVE,
    ),
    SettingLimit(
        _STAB + _AXIS + r"RatePID\.Kd",
        0,
        0.004,
        "the gyro's noise of 1 deg/s at 20 Hz takes over half of the actuators",
        below=_NEGATIVE,
    ),
    SettingLimit(
        _STAB + _AXIS + r"RatePID\.ILimit", 0, 1, "the integral alone takes more than the actuators"
    ),
    SettingLimit(
        _STAB + _AXIS + r"PI\.K[pi]",
        0,
        20,
        "the angle is asked back in less than the 0.05 s that a rate loop takes",
        below=_NEGATIVE,
    ),
    SettingLimit(
        _STAB + r"Vbar(Roll|Pitch|Yaw)(PI|PID)\.K[pi]",
        0,
        0.25,
        "5 deg/s of shaking take all of the actuators",
        below=_NEGATIVE,
    ),
    SettingLimit(
        _STAB + r"(Axis|Max)LockKp|" + _STAB + "WeakLevelingKp",
        0,
        20,
        "the angle is asked back in less than the 0.05 s that a rate loop takes",
        below=_NEGATIVE,
    ),
    # Stabilization: filters, by the phase that they take from a rate loop of 5 Hz that runs at 500
    SettingLimit(
        _STAB + "GyroTau", 0, 0.03, "the filter takes 43 deg of phase from a rate loop of 5 Hz"
    ),
    SettingLimit(
        _STAB + "(GyroCutoff|DerivativeCutoff)",
        5,
        250,
        "the filter stands below the rate loop's 5 Hz, or beyond half of its 500 Hz",
    ),
    SettingLimit(_STAB + "DerivativeGamma", 0, 1, "the stick is a share of the derivative"),
    # Stabilization: what is asked of the aircraft
    SettingLimit(
        _STAB + r"(MaximumRate|ManualRate)\." + _AXIS,
        10,
        2000,
        "it cannot level in 5 s, or turns faster than a gyro of 2000 deg/s measures",
    ),
    SettingLimit(
        _STAB + "(Roll|Pitch|Yaw)Max", 5, 180, "it cannot lean against wind, or goes over its back"
    ),
    SettingLimit(_STAB + "CruiseControlMinThrust", None, 40, "it does not descend at low throttle"),
    SettingLimit(_STAB + "CruiseControlMaxThrust", 50, 100, "the thrust for a climb is cut"),
    SettingLimit(_STAB + "CruiseControlMaxPowerFactor", 1, 10, "leaning asks for all thrust"),
    # Height and position: what an estimate that is 0.1 m/s or 0.5 m off asks for
    SettingLimit(
        _VERTICAL + "K[pi]", 0, 5, "0.1 m/s of error takes half of the thrust", below=_NEGATIVE
    ),
    SettingLimit(
        _VERTICAL + "Kd", 0, 1, "1 m/s2 of noise takes all of the thrust", below=_NEGATIVE
    ),
    SettingLimit(
        _HEIGHT + "(VerticalPosP|HorizontalPosP)",
        0,
        5,
        "the place is asked back in 0.2 s, faster than an aircraft leans",
        below=_NEGATIVE,
    ),
    SettingLimit(
        _ALONG + "K[pi]", 0, 60, "0.5 m/s of GPS noise lean it by more than 30 deg", below=_NEGATIVE
    ),
    SettingLimit(
        _ALONG + "Kd", 0, 10, "GPS noise alone leans it as far as it may", below=_NEGATIVE
    ),
    SettingLimit(
        _HEIGHT + r"ThrustLimits\.Min", 0, 0.6, "it cannot descend with so much thrust at least"
    ),
    SettingLimit(_HEIGHT + r"ThrustLimits\.Neutral", 0, 1, "thrust is a share of 1"),
    SettingLimit(
        _HEIGHT + r"ThrustLimits\.Max", 0.2, 1, "it cannot hover with so little thrust at most"
    ),
    SettingLimit(
        r"VtolPathFollowerSettings\.(MaxRollPitch|VelocityRoamMaxRollPitch|BrakeMaxPitch)",
        5,
        60,
        "beyond 60 deg half of the thrust does not carry it; below 5 wind takes it along",
    ),
    SettingLimit(
        r"VtolPathFollowerSettings\.HorizontalVelMax",
        0.1,
        50,
        "it stops nowhere, or does not move at all",
    ),
    SettingLimit(
        r"VtolPathFollowerSettings\.VerticalVelMax",
        0.1,
        20,
        "a multirotor that sinks so fast falls into its own wake, or it does not move at all",
    ),
    SettingLimit(
        r"FlightModeSettings\.LandingVelocity", 0.05, 3, "it hits the ground, or never gets there"
    ),
    SettingLimit(r"FlightModeSettings\.AutoTakeOffVelocity", 0.05, 10, "it shoots up, or stays"),
    SettingLimit(
        r"FlightModeSettings\.ReturnToBaseAltitudeOffset", 0, None, "it returns below its height"
    ),
    # Estimator: a Kalman filter needs noise above 0 and covariances that single precision holds
    SettingLimit(
        r"EKFConfiguration\.[PQR]\..*|EKFConfiguration\.FakeR\..*",
        1e-12,
        1e7,
        "the filter divides by it, or single precision no longer holds the covariance",
    ),
    SettingLimit(
        r"AttitudeSettings\.(AccelKp|AccelKi|MagKp|MagKi|YawBiasRate)",
        0,
        5,
        "the accelerometer's noise becomes the attitude",
        below=_NEGATIVE,
    ),
    SettingLimit(r"AttitudeSettings\.AccelTau", 0, 10, "the attitude is corrected too late"),
    # Outputs
    SettingLimit(
        r"ActuatorSettings\.Channel(Max|Min|Neutral)\..*",
        0,
        2500,
        "no servo or speed controller knows so long a pulse",
    ),
    SettingLimit(
        r"ActuatorSettings\.(BankUpdateFreq|ChannelUpdateFreq|TimerUpdateFreq)\..*",
        25,
        None,
        "the outputs answer later than a rate loop of 5 Hz can bear",
    ),
    SettingLimit(
        r"MixerSettings\.ThrottleCurve1\.0%?", None, 0.4, "motors do not stop with the stick down"
    ),
    SettingLimit(r"MixerSettings\.ThrottleCurve[12]\..*", -1, 1, "thrust is a share of 1"),
    SettingLimit(
        r"MixerSettings\.(AccelTime|DecelTime)", 0, 0.5, "motors answer later than they do already"
    ),
    SettingLimit(r"MixerSettings\.MaxAccel", 10, None, "motors do not follow the rate loop"),
    SettingLimit(r"MixerSettings\.FeedForward", 0, 1, "the motors overshoot all that is asked"),
    # Sticks
    SettingLimit(
        r"ManualControlSettings\.ResponseTime\..*", 0, 500, "sticks act over half a second late"
    ),
    SettingLimit(r"ManualControlSettings\.Deadband", 0, 50, "half of the stick does nothing"),
    SettingLimit(
        r"ManualControlSettings\.FailsafeChannel\.(Throttle|Collective)",
        None,
        0.75,
        "with a lost receiver it flies on at high throttle",
    ),
    # Arming: possible, and nobody's oversight
    SettingLimit(
        r"(ManualControlSettings|FlightModeSettings)\.Arming",
        None,
        None,
        "motors are armed as soon as the throttle is low, and no switch disarms them",
        ("always armed", "alwaysarmed"),
    ),
    SettingLimit(
        r"(ManualControlSettings|FlightModeSettings)\.DisableSanityChecks",
        None,
        None,
        "the board arms with settings that it knows to be wrong",
        ("true",),
    ),
    SettingLimit(
        r"(ManualControlSettings|FlightModeSettings)\.(Dis)?[Aa]rmingSequenceTime",
        100,
        10000,
        "a touch of the sticks arms or disarms it, or nothing does in time",
    ),
)


def setting_complaint(
    name: str, path: str, field: FieldDefinition, index: int, value: float | str, board: int = 0
) -> str:
    """Why a value of a setting needs somebody to say that it is meant, as a phrase; "" if not.

    `board` (0x0903, ...) adds the definition's limits for that hardware. What the definition says
    a board starts with is never complained of.
    """
    rows = _limits_at(name, path)  # found once, when a box first shows its value
    if _is_default(field, index, value):
        return ""
    if not isinstance(value, str) and not math.isfinite(value):
        return "no number"
    found = ""
    for row in rows:
        found = found or row.complaint(value)
    is_ours = bool(rows) and not isinstance(value, str)
    return found or ("" if is_ours else limits_of(field, index, board).complaint(value))


def _is_default(field: FieldDefinition, index: int, value: float | str) -> bool:
    usual = field.defaults[index] if index < len(field.defaults) else 0
    if isinstance(usual, str) or isinstance(value, str):
        return usual == value
    return abs(usual - value) <= 1e-6 * abs(usual)  # 32 bits on the wire


def row_complaints(definition: ObjectDefinition, before: np.void, after: np.void) -> list[str]:
    """What is complained of in a row that is to be written over another, by field; what the board
    holds already is not, nor what is no setting."""
    if not definition.settings:
        return []
    found = []
    for f in definition.fields:
        for index in range(0 if is_text(f) else f.elements):
            part = None if f.elements == 1 else index
            value = read_value(definition, after, f.name, part)
            if isinstance(value, tuple) or value == read_value(definition, before, f.name, part):
                continue
            path = f.name if part is None else f"{f.name}.{f.element_label(index)}"
            told = setting_complaint(definition.name, path, f, index, value)
            found += [f"{definition.name}.{path} = {value} is {told}"] if told else []
    return found


@lru_cache(maxsize=4096)
def _limits_at(name: str, path: str) -> tuple[SettingLimit, ...]:
    where = f"{name}.{path}"
    return tuple(entry for entry in SETTING_LIMITS if re.fullmatch(entry.pattern, where))
