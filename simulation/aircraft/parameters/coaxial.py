"""[swash_plate] and [flybar]: they make a coaxial helicopter of an aircraft with two rotors."""

import math
from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.records.flight import COAXIAL, LOWER, UPPER
from simulation.records.interface import CHANNELS, STEP_S

_OFF_AXIS_M = 1e-9


def _finish_swash_plate(file: ParameterFile, plate: Values, p: np.void) -> None:
    p["kind"] = COAXIAL
    p["rotor_above"] = 0  # its figures are those of both rotors together
    file.check_ascending("swash_plate", "pulse_us", plate)
    p["swash_channel"] = np.subtract(plate["channel"], 1)
    p["swash_share"] = -math.expm1(-STEP_S / plate["lag_s"]) if plate["lag_s"] > 0.0 else 1.0


def check_coaxial(file: ParameterFile, p: np.void) -> None:
    """Complain about rotors that a swash plate does not go with."""
    if p["kind"] != COAXIAL:
        if file.has("flybar"):
            what = "There is a [flybar], but no [swash_plate]."
            raise file.error("flybar", "", what, "Add it, or remove the section.")
        return
    spin, place = p["rotor_spin"], p["rotor_position"]
    if p["rotor_count"] != 2 or spin[UPPER] != -spin[LOWER]:
        what = "A [swash_plate] belongs to two rotors that turn against each other."
        raise file.error("rotors", "spin", what, "Describe the upper one, then the lower one.")
    off_axis = np.abs(place[:2, :2]).max() > _OFF_AXIS_M
    if off_axis or p["tilted"] or place[UPPER, 2] >= place[LOWER, 2]:
        what = "The rotors of a coaxial helicopter stand on one axis, the first above the second."
        raise file.error("rotors", "position_m", what, "Give [[0, 0, upper], [0, 0, lower]].")


SECTIONS: Final = (
    ParameterSection(
        "swash_plate",
        {
            "channel": NumberKey(1, CHANNELS, (2,), whole=True),
            "pulse_us": NumberKey(0.0, 5000.0, (2,), member="swash_pulse_us"),
            "deflection_deg": NumberKey(
                0.1, 45.0, member="swash_deflection", scale=math.pi / 180.0
            ),
            "lag_s": NumberKey(0.0, 1.0, default=0.0),
            "arm_m": NumberKey(-1.0, 1.0, member="swash_arm", default=0.0),
        },
        _finish_swash_plate,
        is_optional=True,
    ),
    ParameterSection(
        "flybar",
        {
            "restoring_nm": NumberKey(0.0, 100.0, member="flybar_restoring"),
            "damping_nms": NumberKey(0.0, 100.0, (3,), member="flybar_damping"),
        },
        is_optional=True,
    ),
)
