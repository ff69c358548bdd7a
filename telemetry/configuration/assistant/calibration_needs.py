"""Calibration needs: the calibrations an aircraft still needs before it flies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.assistant.gps_and_battery import navigates
from telemetry.configuration.settings.difference import is_same
from telemetry.configuration.settings.slots import default_values
from telemetry.recording.sample import Value


@dataclass(frozen=True, slots=True)
class CalibrationNeed:
    """A calibration and how it stands. `page` is the part of the station that does it."""

    title: str
    about: str
    is_done: bool
    is_needed: bool
    page: str = "calibration"


_KINDS: Final = (
    (
        "Accelerometer",
        "Six sides, each held still: what it takes to tell level from leaning.",
        {"AccelGyroSettings": ("accel_bias", "accel_scale")},
    ),
    (
        "Level",
        "Half a minute on a level table: what it takes for level.",
        {"AttitudeSettings": ("BoardLevelTrim",)},
    ),
    (
        "Magnetometer",
        "Turned about all axes outdoors: which way north is.",
        {"RevoCalibration": ("mag_bias", "mag_transform")},
    ),
)


def calibration_needs(answers: Answers, aircraft: AssistedAircraft) -> tuple[CalibrationNeed, ...]:
    """The calibrations of the sensors this firmware has, and the transmitter's."""
    found = []
    for title, about, writes in _KINDS:
        if not any(aircraft.definition(name) for name in writes):
            continue
        is_needed = title != "Magnetometer" or navigates(answers)
        found.append(CalibrationNeed(title, about, _is_done(writes, aircraft), is_needed))
    if answers.receiver not in ("", "GCS"):
        about = "Ends and middle of each stick, with the transmitter at hand."
        found.append(CalibrationNeed("Transmitter", about, False, True, "receiver"))
    return tuple(found)


def _is_done(writes: Mapping[str, tuple[str, ...]], aircraft: AssistedAircraft) -> bool:
    """Whether any of the values is other than its default."""
    for name, fields in writes.items():
        definition = aircraft.definition(name)
        if definition is None:
            continue
        usual, present = default_values(definition), aircraft.values(name)
        if any(
            _differs(path, value, usual) for path, value in present.items() if _is_in(path, fields)
        ):
            return True
    return False


def _is_in(path: str, fields: tuple[str, ...]) -> bool:
    return path.partition(".")[0] in fields


def _differs(path: str, value: Value, usual: Mapping[str, Value]) -> bool:
    return not is_same(value, usual[path])
