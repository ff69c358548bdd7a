"""The manoeuvres that all simulators fly: the reference by hand, and Lapwing beside it.

Expectations come from mechanics: a throw is a parabola, nothing changes the angular momentum of a
body in free fall (NASA/TM-2015-218675 calls it the tumbling brick), and a hovering rotor carries a
quarter of the weight.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from benchmarks.peers import lapwing_flight, reference
from benchmarks.peers import manoeuvre as m
from benchmarks.peers.__main__ import differences
from benchmarks.peers.manoeuvre import FlownManoeuvre


def _apart(flown: FlownManoeuvre, true: FlownManoeuvre) -> tuple[float, float]:
    away, angle = differences(flown, true)
    return float(away.split()[0]), float(angle[:-1])


@pytest.fixture(scope="module")
def thrown() -> FlownManoeuvre:
    return reference.brick()


@pytest.mark.slow
def test_the_reference_throws_a_parabola_and_keeps_the_angular_momentum(
    thrown: FlownManoeuvre,
) -> None:
    t = np.arange(len(thrown.position))[:, None] * m.SAMPLE_STEPS * m.STEP_S
    fallen = np.array([0.0, 0.0, -0.5 * m.GRAVITY])
    parabola = np.array(m.BRICK_START_M) + t * np.array(m.BRICK_VELOCITY_MPS) + t**2 * fallen
    np.testing.assert_allclose(thrown.position, parabola, atol=1e-9)
    attitude = Rotation.from_quat(np.roll(thrown.quaternion, -1, axis=1))
    step = (attitude[:-1].inv() * attitude[1:]).as_rotvec() / (m.SAMPLE_STEPS * m.STEP_S)
    momentum = attitude[:-1].apply(step * m.BRICK_KGM2)  # to the first order of a sample
    start = np.array(m.BRICK_RATES_RADPS) * m.BRICK_KGM2
    assert np.linalg.norm(momentum - start, axis=1).max() < 0.1 * np.linalg.norm(start)


@pytest.mark.slow
def test_lapwing_tumbles_as_the_equations_say(thrown: FlownManoeuvre) -> None:
    away_mm, angle_deg = _apart(lapwing_flight.brick(), thrown)
    assert away_mm < 1e-5
    assert angle_deg < 1e-6


@pytest.mark.slow
def test_lapwing_flies_a_quadrotor_as_the_equations_say() -> None:
    """But for the air, which thins by 1e-4 of its density for a metre."""
    true = reference.quadrotor()
    flown = lapwing_flight.quadrotor()
    away_mm, angle_deg = _apart(flown, true)
    assert away_mm < 2.0
    assert angle_deg < 0.05
    mirrored = FlownManoeuvre(flown.position * (1, -1, 1), flown.quaternion)
    assert _apart(mirrored, true)[0] > 1000.0


def test_the_difference_of_attitudes_is_an_angle_whatever_the_quaternions_signs() -> None:
    level = FlownManoeuvre(np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))
    half = np.radians(30.0) / 2
    rolled = FlownManoeuvre(np.ones((1, 3)), -np.array([[np.cos(half), np.sin(half), 0.0, 0.0]]))
    assert differences(rolled, level) == ["1.7e+03 mm", "30°"]
