"""Priors: what is known of each fitted number before the flight, and what counts as told by it."""

from typing import Final

import numpy as np

from simulation.environment.earth import GRAVITY
from simulation.identification.channels import LATENCY, MIXES
from simulation.identification.fit import Prior
from simulation.identification.groups import BIAS, DELAY, DRAG, INERTIA, MOTOR, THRUST, WIND
from simulation.identification.parameters import PARAMETERS, Parameter
from simulation.records.sensor_table import ACCEL, GYRO

_SIGMA: Final = {WIND: 10.0, DRAG: 0.7, THRUST: 0.3, INERTIA: 0.5, DELAY: 15.0}
_MOTOR_SHARE: Final = 0.7
_GYRO_BIAS_DPS: Final = 3.0
_LEAST_ACCEL_BIAS_MPS2: Final = 0.05
_LEAST_MIX: Final = 0.003
_TOLD: Final = 0.3
"""Of the prior's deviation: a parameter with a larger one is not told by the flight."""
_USEFUL: Final = {WIND: 2.0, DRAG: 0.25, THRUST: 0.1, INERTIA: 0.2, DELAY: 5.0}
"""Nobody can do anything with a larger deviation."""
_USEFUL_MOTOR_SHARE: Final = 0.3
_NUISANCES: Final = {
    **{f"attitude_offset_{axis}_deg": Prior(0.0, 2.0, 0.1) for axis in "xyz"},
    **{f"velocity_bias_{to}_mps": Prior(0.0, 0.04, 0.01) for to in ("north", "east", "down")},
    LATENCY: Prior(0.0, 30.0, 5.0, is_early=False),
}
"""Errors of the board's attitude and of the receiver that are never told, only allowed for."""


def priors_of(p: np.void) -> dict[str, Prior]:
    """Of all that is fitted, also where the log cannot tell it: the rest needs it."""
    priors = {}
    for q in PARAMETERS:
        is_early = q.group in (WIND, THRUST, BIAS)
        priors[q.name] = Prior(q.nominal(p), _prior_sigma(q, p), q.step, q.low, q.high, is_early)
    mixes = {
        name: Prior(0.0, _mix_sigma(p, GYRO if sensor == "gyro" else ACCEL), _LEAST_MIX)
        for name, (sensor, _, _) in MIXES.items()
    }
    return {**priors, **_NUISANCES, **mixes}


def accel_bias_sigma(p: np.void) -> float:
    """Of what the file says of the accelerometer: offset, drift, and gravity in tilted axes."""
    axes = GRAVITY * _mix_sigma(p, ACCEL)
    offset, drift = float(p["sensor_error"][ACCEL][3]), float(p["sensor_error"][ACCEL][1])
    return max(float(np.hypot(np.hypot(offset, drift), axes)), _LEAST_ACCEL_BIAS_MPS2)


def is_vague(q: Parameter, p: np.void, sigma: float) -> bool:
    """Whether a parameter with this deviation is not told, or of no use."""
    if q.group == BIAS:
        return False
    if q.group == MOTOR:
        return sigma > min(_TOLD * _MOTOR_SHARE, _USEFUL_MOTOR_SHARE) * q.nominal(p)
    return sigma > min(_TOLD * _SIGMA[q.group], _USEFUL[q.group])


def _prior_sigma(q: Parameter, p: np.void) -> float:
    if q.group == MOTOR:
        return _MOTOR_SHARE * q.nominal(p)
    if q.group == BIAS:
        return _GYRO_BIAS_DPS if q.name.startswith("gyro") else accel_bias_sigma(p)
    return _SIGMA[q.group]


def _mix_sigma(p: np.void, sensor: int) -> float:
    """Of what an axis feels of another, by what the file says of the sensor."""
    tilt = np.radians(float(p["misalignment_deg"][sensor]))
    return max(float(np.hypot(p["cross_axis"][sensor], tilt)), _LEAST_MIX)
