"""Magnetometer: the Earth's field in body axes, the aircraft's own iron, its currents.

y = R^T B + b_iron + k I
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.rotation import to_body
from simulation.mathematics.vectors import moved
from simulation.records.flight import ATTITUDE, POSITION
from simulation.records.sensor_table import MAG
from simulation.sensors.axis_errors import with_axis_errors
from simulation.sensors.error_model import measured


@njit_part
def field_at(w: Any, s: Any) -> tuple[float, float, float]:
    """The Earth's field where the aircraft is, mGauss, NED: that of the origin and its slope,
    which is within 1 nT of the full model 20 km away."""
    field, slope, x = w["field_mgauss"], w["field_gradient"], s["motion"]
    a, b, c = x[POSITION], x[POSITION + 1], x[POSITION + 2]
    return (
        field[0] + slope[0, 0] * a + slope[1, 0] * b + slope[2, 0] * c,
        field[1] + slope[0, 1] * a + slope[1, 1] * b + slope[2, 1] * c,
        field[2] + slope[0, 2] * a + slope[1, 2] * b + slope[2, 2] * c,
    )


@njit_shared
def measure_field(p: Any, w: Any, s: Any, slot: Any) -> None:
    """Magnetic field in mGauss along the board's axes."""
    north, east, down = field_at(w, s)
    body = to_body(s["motion"][ATTITUDE : ATTITUDE + 4], north, east, down)
    own = moved(p["hard_iron"], s["battery_current"], p["field_per_ampere"])
    for i, value in enumerate(with_axis_errors(w, s, MAG, moved(body, 1.0, own))):
        slot[i] = measured(p, s, MAG, i, value)
