"""[battery]: a lithium battery, described by one of its cells."""

from typing import Final

import numpy as np

from simulation.parameter_file import Parameter, ParameterFile, ParameterSection, Values
from simulation.records import OCV_POINTS


def _check_voltage(file: ParameterFile, battery: Values, _: np.void) -> None:
    if sorted(battery["cell_voltage"]) != battery["cell_voltage"]:
        raise file.error(
            "battery", "cell_voltage", "'cell_voltage' must rise with charge.", "Sort the numbers."
        )


SECTIONS: Final = (
    ParameterSection(
        "battery",
        {
            "cells": Parameter(1, 16, whole=True, member="cells"),
            "capacity_mah": Parameter(10.0, 1e6, member="capacity_as", scale=3.6),
            "cell_voltage": Parameter(1.0, 5.0, (OCV_POINTS,), member="cell_ocv"),
            "cell_resistance_ohm": Parameter(0.0, 1.0, member="cell_resistance"),
            "cell_rc_resistance_ohm": Parameter(0.0, 1.0, member="cell_rc_resistance"),
            "cell_rc_tau_s": Parameter(0.1, 1000.0, member="cell_rc_tau"),
            "cell_cutoff_v": Parameter(0.0, 4.0, member="cell_cutoff"),
            "avionics_w": Parameter(0.0, 1000.0, member="avionics_power"),
        },
        _check_voltage,
    ),
)
