"""What the operator of a served flight is shown. Loads nothing heavy: the station reads it too."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SimulatorReport:
    """The flight as its operator commands it.

    The wind is the velocity of the air at the aircraft in m/s, NED; where it is and how it lies
    its telemetry tells. `factor` is how fast time has really passed since the last report.
    `values` are the controls that were set, `link` the faults of the radio.
    """

    time_s: float
    speed: float
    factor: float
    wind_north_mps: float
    wind_east_mps: float
    wind_down_mps: float
    has_crashed: bool
    trouble: str
    values: Mapping[str, float]
    link: Mapping[str, float]
