"""Simulated IMU: where it is and what noise it has, as the file of its aircraft says."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SimulatedImu:
    """White noise as continuous densities, of samples at `rate_hz`: rad/s and m/s² per root hertz;
    random walks of the biases in rad/s² and m/s³ per root hertz, for times well below the time
    constants of the drift. Its place is in metres from the centre of mass, in body axes (FRD)."""

    rate_hz: float
    gyro_density: float
    gyro_walk: float
    accel_density: float
    accel_walk: float
    forward_m: float
    right_m: float
    down_m: float

    @property
    def place_m(self) -> tuple[float, float, float]:
        """Forward, right, down."""
        return self.forward_m, self.right_m, self.down_m

    def widening(self, rate_hz: float) -> float:
        """By how much the densities are higher of samples that are told at a lower rate: each of
        them has the noise of one."""
        return math.sqrt(max(self.rate_hz / rate_hz, 1.0))
