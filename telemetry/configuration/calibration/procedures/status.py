"""Calibration status: what was ever done of an aircraft's calibrations, and how good it is now."""

import math
from dataclasses import dataclass

import numpy as np

from telemetry.base.number_text import significant
from telemetry.configuration.calibration.fits.accelerometer import GRAVITY
from telemetry.configuration.calibration.procedures.kinds import KINDS, CalibrationKind
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.defaults import fields_not_default
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Value

_FRESH_S = 12.0
"""Sensors are sent every ten seconds by default."""
_MEAN_S = 2.0
_MANY = 3


@dataclass(frozen=True, slots=True)
class CalibrationStatus:
    """Whether the values on board are other than the defaults, and what they are in words."""

    is_done: bool
    text: str
    is_known: bool = True


def calibration_status(kind: CalibrationKind, settings: Configuration) -> CalibrationStatus:
    """What is on board of one calibration."""
    known = [name for name in kind.writes if settings.has(name)]
    if not known:
        text = "It is not in this log." if settings.aircraft.is_log else ""
        return CalibrationStatus(False, text, is_known=False)
    changed = [name for name in known if _is_changed(name, kind.writes[name], settings)]
    if not changed:
        return CalibrationStatus(False, "The values on board are the defaults.")
    return CalibrationStatus(True, _summary(kind, changed, settings))


def why_not(kind: CalibrationKind, settings: Configuration) -> str:
    """Why a calibration cannot begin now, as a sentence; empty where it can."""
    aircraft = settings.aircraft
    if aircraft.is_log:
        return "A log can be read only."
    refusal = settings.refusal
    if refusal or not aircraft.is_complete:
        return refusal or "Still fetching the settings."
    if not any(settings.has(name) for name in kind.writes):
        names = " and no ".join(kind.writes)
        return f"This aircraft has no {names}."
    if aircraft.is_armed:
        return "The aircraft is armed: disarm it first."
    for name, fields in kind.unsent.items():
        staged = {path.partition(".")[0] for path in settings.draft.of((name, 0))}
        waiting = [field for field in fields if field in staged]
        if waiting:
            return f"Apply {name}.{waiting[0]} first: this builds on it."
    return ""


def never_done(settings: Configuration) -> tuple[str, ...]:
    """The titles of needed calibrations whose values are the defaults. Compasses count only
    where the filter of RevoSettings.FusionAlgorithm uses them."""
    found = []
    for kind in KINDS:
        if not kind.is_needed or not any(settings.has(name) for name in kind.writes):
            continue
        if kind.id == "magnetometer" and not uses_compass(settings):
            continue
        staged = any(
            path.partition(".")[0] in fields
            for name, fields in kind.writes.items()
            for path in settings.draft.of((name, 0))
        )
        if not staged and not calibration_status(kind, settings).is_done:
            found.append(kind.title)
    return tuple(found)


def uses_compass(settings: Configuration) -> bool:
    """Whether the attitude filter listens to a magnetometer."""
    algorithm = str(settings.value("RevoSettings", "FusionAlgorithm") or "")
    return any(word in algorithm for word in ("Mag", "INS", "GPS"))


def quality_now(kind: CalibrationKind, recording: Recording, t: float) -> str:
    """What the sensors showed around `t`, against what they should at rest; empty if nothing."""
    if kind.id == "accelerometer":
        expected = _number(recording, "HomeLocation", "g_e", t) or GRAVITY
        return _against("Gravity reads", _length(recording, "AccelSensor", t), expected, "m/s²")
    if kind.id == "gyro":
        length = _length(recording, "GyroSensor", t)
        return "" if length is None else f"It reads {length:.2f} deg/s now; at rest it should be 0."
    if kind.id == "magnetometer":
        length = _length(recording, "MagSensor", t)
        be = [_number(recording, "HomeLocation", f"Be.{i}", t) for i in range(3)]
        text = _against("The field reads", length, math.hypot(*be), "mGauss")
        return f"{text} {_source(recording, t)}".strip()
    if kind.id == "level":
        roll = _number(recording, "AttitudeState", "Roll", t)
        pitch = _number(recording, "AttitudeState", "Pitch", t)
        is_known = recording.latest("AttitudeState", t) is not None
        return f"It shows roll {_signed(roll)}°, pitch {_signed(pitch)}° now." if is_known else ""
    if kind.id == "thermal":
        warmth = _number(recording, "GyroSensor", "temperature", t)
        return f"The gyro has {warmth:.1f} °C now." if warmth else ""
    return ""


def _against(what: str, length: float | None, expected: float, unit: str) -> str:
    if length is None or expected <= 0.0:
        return ""
    off = round(100.0 * (length / expected - 1.0), 1) + 0.0
    return (
        f"{what} {significant(length, 4)} of {significant(expected, 4)} {unit} now ({off:+.1f} %)."
    )


def _signed(angle_deg: float) -> str:
    return f"{round(angle_deg, 1) + 0.0:.1f}"  # no minus before a zero


def _source(recording: Recording, t: float) -> str:
    """Which magnetometer the attitude filter takes."""
    state = recording.latest("MagState", t)
    if state is None or not state.definition.has_field("Source"):
        return ""
    words = {"OnBoard": "The one on board is used.", "Aux": "The external one is used."}
    return words.get(str(state["Source"]), "")


def _length(recording: Recording, name: str, t: float) -> float | None:
    """The length of a vector's mean over the last seconds; None if nothing came."""
    means = []
    for axis in "xyz":
        _, values = recording.series(f"{name}.{axis}", t - _MEAN_S, t)
        if not len(values):
            _, values = recording.series(f"{name}.{axis}", t - _FRESH_S, t)
        if not len(values):
            return None
        means.append(float(np.mean(values)))
    length = math.hypot(*means)
    return length if length > 0.0 else None


def _number(recording: Recording, name: str, path: str, t: float) -> float:
    sample = recording.latest(name, t)
    if sample is None or not sample.definition.has_field(path.partition(".")[0]):
        return 0.0
    return float(sample.raw(path))


def _is_changed(name: str, fields: tuple[str, ...], settings: Configuration) -> bool:
    definition = settings.definition(name)
    if definition is None:
        return False
    values = settings.aircraft.values(name)
    return not {*fields}.isdisjoint(fields_not_default(definition, values))


def _summary(kind: CalibrationKind, changed: list[str], settings: Configuration) -> str:
    """The numbers on board of these objects, a field of three or fewer written out."""
    parts = []
    for name in changed:
        present = settings.aircraft.values(name)
        prefix = f"{name}." if len(kind.writes) > 1 else ""
        for field in kind.writes[name]:
            values = [v for path, v in present.items() if path.partition(".")[0] == field]
            if 0 < len(values) <= _MANY:
                parts.append(f"{prefix}{field} {_numbers(values)}")
    return "; ".join(parts) + "." if parts else "The values on board are not the defaults."


def _numbers(values: list[Value]) -> str:
    return ", ".join(significant(float(value), 4) for value in values if not isinstance(value, str))
