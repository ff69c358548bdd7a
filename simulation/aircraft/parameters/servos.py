"""Servos, and [tilt_servo]: what turns the tail rotor of a tricopter."""

import math
from typing import Final

import numpy as np

from simulation.files.parameter_file import (
    NumberKey,
    ParameterFile,
    ParameterSection,
    Schema,
    Values,
)
from simulation.records.flight import ROTORCRAFT
from simulation.records.interface import CHANNELS, ROTORS

_DEG: Final = math.pi / 180.0
SERVO_KEYS: Final[Schema] = {
    "channel": NumberKey(1, CHANNELS, whole=True),
    "pulse_us": NumberKey(0.0, 5000.0, (2,)),
    "deflection_deg": NumberKey(-90.0, 90.0, (2,)),
}
SERVO_MOTION: Final[Schema] = {
    "lag_s": NumberKey(0.001, 1.0, member="servo_tau"),
    "rate_degps": NumberKey(1.0, 10_000.0, member="servo_rate", scale=_DEG),
}


def add_servo(file: ParameterFile, section: str, servo: Values, p: np.void) -> None:
    """Make the values of a section the next servo."""
    file.check_ascending(section, "pulse_us", servo)
    index = int(p["servo_count"])
    p["servo_channel"][index] = servo["channel"] - 1
    p["servo_pulse_us"][index] = servo["pulse_us"]
    p["servo_deflection"][index] = np.multiply(servo["deflection_deg"], _DEG)
    p["servo_count"] = index + 1


def _turn_rotor(file: ParameterFile, servo: Values, p: np.void) -> None:
    add_servo(file, "tilt_servo", servo, p)
    p["turned_rotor"] = servo["rotor"]
    p["tilted"] = 1


def check_tilt_servo(file: ParameterFile, p: np.void) -> None:
    """Complain about a servo that has no rotor to turn, or one of another kind of aircraft."""
    rotor, count = int(p["turned_rotor"]), int(p["rotor_count"])
    if rotor and (p["kind"] != ROTORCRAFT or rotor > count):
        what = f"A [tilt_servo] turns rotor {rotor}, of a multirotor with {count} rotors."
        raise file.error("tilt_servo", "rotor", what, "Give one of [rotors], counted from 1.")


SECTIONS: Final = (
    ParameterSection(
        "tilt_servo",
        {"rotor": NumberKey(1, ROTORS, whole=True), **SERVO_KEYS, **SERVO_MOTION},
        _turn_rotor,
        is_optional=True,
    ),
)
