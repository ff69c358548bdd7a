"""Motor drive: what the motors were given, the throttle times the battery's voltage."""

from dataclasses import dataclass

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.airborne import THRUST
from telemetry.review.analysis.findings.readings import Readings, read
from telemetry.review.analysis.series import Series


@dataclass(frozen=True, slots=True, eq=False)
class MotorDrive:
    """What they were given, in no unit in particular; `words` name what it was made of."""

    series: Series
    words: str


def motor_drive(recording: Recording) -> MotorDrive:
    """Of a recording; of the throttle alone where no voltage was recorded. Without samples where no
    throttle was."""
    thrust = read_throttle(recording)
    volts = read(recording, ("FlightBatteryState",), "Voltage")
    is_measured = volts.values > 0.0
    if not is_measured.any():
        return MotorDrive(Series(thrust.times, thrust.values), "throttle")
    held = np.interp(thrust.times, volts.times[is_measured], volts.values[is_measured])
    return MotorDrive(Series(thrust.times, thrust.values * held), "throttle times battery voltage")


def read_throttle(recording: Recording) -> Readings:
    """The throttle, 0 to 1, by the name that the recorded release has for it."""
    thrust = read(recording, THRUST, "Thrust")
    return thrust if len(thrust.times) else read(recording, THRUST, "Throttle")
