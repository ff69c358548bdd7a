"""What is wrong with a measured distance, the same for all sensors that measure distances."""

from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.parameter_file import NumberKey, Schema
from simulation.perception.sensor import SensorMoment

RANGE_FAULTS: Final[Schema] = {
    "bias_m": NumberKey(-100.0, 100.0, default=0.0),
    "scale": NumberKey(0.01, 100.0, default=1.0),
}
"""A distance d is measured as scale x d + bias_m."""


def with_faults(ranges_m: npt.NDArray[np.float64], moment: SensorMoment) -> npt.NDArray[np.float64]:
    """Distances as the faults of that moment make them."""
    return ranges_m * moment.faults["scale"] + moment.faults["bias_m"]
