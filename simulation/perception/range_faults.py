"""Faults of a measured distance, the same for all sensors that measure distances."""

from typing import Final

from simulation.files.parameter_file import NumberKey, Schema
from simulation.mathematics.random_numbers import gaussian_pair
from simulation.perception.sensor import SensorMoment

RANGE_FAULTS: Final[Schema] = {
    "bias_m": NumberKey(-100.0, 100.0, default=0.0),
    "scale": NumberKey(0.01, 100.0, default=1.0),
}
"""A distance d is measured as scale x d + bias_m."""


def measured_distance(true_m: float, spread_m: float, moment: SensorMoment) -> float:
    """A distance with noise of that standard deviation, as the faults of that moment make it."""
    noise, _ = gaussian_pair(moment.seed, moment.stream, 0)
    faults = moment.faults
    return (true_m + spread_m * noise) * faults["scale"] + faults["bias_m"]
