"""Calibration needs: the calibrations an aircraft still needs before it flies."""

from dataclasses import dataclass
from typing import Final

from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.assistant.gps_and_battery import navigates
from telemetry.configuration.settings.defaults import fields_not_default


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
        is_done = any(_is_changed(name, writes[name], aircraft) for name in writes)
        found.append(CalibrationNeed(title, about, is_done, is_needed))
    if answers.receiver not in ("", "GCS"):
        about = "Ends and middle of each stick, with the transmitter at hand."
        found.append(CalibrationNeed("Transmitter", about, False, True, "receiver"))
    return tuple(found)


def _is_changed(name: str, fields: tuple[str, ...], aircraft: AssistedAircraft) -> bool:
    definition = aircraft.definition(name)
    if definition is None:
        return False
    return not {*fields}.isdisjoint(fields_not_default(definition, aircraft.values(name)))
