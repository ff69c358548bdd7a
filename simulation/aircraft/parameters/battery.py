"""[battery]: a lithium battery, described by one of its cells."""

from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.records.flight import OCV_POINTS


def _check_voltage(file: ParameterFile, battery: Values, _: np.void) -> None:
    if sorted(battery["cell_voltage"]) != battery["cell_voltage"]:
        raise file.error(
            "battery", "cell_voltage", "'cell_voltage' must rise with charge.", "Sort the numbers."
        )


SECTIONS: Final = (
    ParameterSection(
        "battery",
        {
            "cells": NumberKey(1, 16, whole=True, member="cells"),
            "capacity_mah": NumberKey(10.0, 1e6, member="capacity_as", scale=3.6),
            "cell_voltage": NumberKey(1.0, 5.0, (OCV_POINTS,), member="cell_ocv"),
            "cell_resistance_ohm": NumberKey(0.0, 1.0, member="cell_resistance"),
            "cell_rc_resistance_ohm": NumberKey(0.0, 1.0, member="cell_rc_resistance"),
            "cell_rc_tau_s": NumberKey(0.1, 1000.0, member="cell_rc_tau"),
            "cell_cutoff_v": NumberKey(0.0, 4.0, member="cell_cutoff"),
            "avionics_w": NumberKey(0.0, 1000.0, member="avionics_power"),
        },
        _check_voltage,
    ),
)
