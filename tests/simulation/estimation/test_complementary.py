"""The complementary filter takes the accelerometer for a plumb line, as filtercf.c does.

Truth: the law by hand. With AccelKp degrees per sample of 2 ms times the sine of the error, an
estimate that starts e off the apparent vertical is 2 atan(tan(e / 2) exp(-k t)) off it after t,
with k = radians(AccelKp) / 0.002 s.
"""

import math

import numpy as np
import pytest

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import euler_of
from simulation.records.interface import FUSION_COMPLEMENTARY
from simulation.records.sensor_table import ACCEL, GYRO
from telemetry.protocol.objects.catalogue import Catalogue

_FILTER_S = 0.05
"""AccelTau: so much later the filter knows of the throw; its own vertical lags alike."""


def pitch_after_deg(catalogue: Catalogue, forward_mps2: float, seconds: float, kp: float) -> float:
    """What it believes of a level aircraft that does not turn and is pushed along its x axis."""
    simulator = factory_simulator(load_preset("ar100b"), catalogue)
    simulator.settings["fusion_algorithm"] = FUSION_COMPLEMENTARY
    simulator.settings["plumb_kp"] = kp
    override = simulator.command["override"]
    override["any"] = 1

    def feel(pushed_mps2: float, samples: int) -> None:
        for number, values in ((GYRO, np.zeros(3)), (ACCEL, (pushed_mps2, 0.0, -GRAVITY))):
            override["replaced"][number] = 1
            override["value"][number, :3] = values
        for _ in range(samples):
            override["count"][[GYRO, ACCEL]] += 1
            simulator.advance(2)

    feel(0.0, 1000)
    feel(forward_mps2, round(seconds / 0.002))
    return math.degrees(euler_of(simulator.output["quaternion"])[1])


def by_hand_deg(forward_mps2: float, seconds: float, kp: float) -> float:
    apparent = math.atan2(forward_mps2, GRAVITY)
    decay = math.exp(-math.radians(kp) / 0.002 * seconds)
    return math.degrees(apparent - 2.0 * math.atan(math.tan(apparent / 2.0) * decay))


@pytest.mark.parametrize(
    ("forward_mps2", "seconds", "kp"), [(25.0, 0.4, 0.05), (-9.0, 1.0, 0.05), (25.0, 0.4, 0.003)]
)
def test_a_push_raises_the_nose_that_it_believes_in(
    catalogue: Catalogue, forward_mps2: float, seconds: float, kp: float
) -> None:
    found = pitch_after_deg(catalogue, forward_mps2, seconds, kp)
    late = by_hand_deg(forward_mps2, seconds - _FILTER_S, kp)
    soon = by_hand_deg(forward_mps2, seconds, kp)
    assert min(late, soon) - 0.05 < found < max(late, soon) + 0.05
