"""Whether a standing quadrotor stays, slides or tips in a wind, against a calculation by hand.

With the drag D at height h_p, the weight W at height h_m, feet half a track t from the middle and
the coefficient of friction mu (statics of a rigid block, Hibbeler, Statics, 8.2):

    mu W > D: it sticks, and tips about its feet if     D h_p > W t
    mu W < D: it slides, and tips at the same time if   mu W h_m + D (h_p - h_m) > W t
"""

import math

import numpy as np
import pytest

from simulation.environment.wind_table import wind_table
from simulation.records.flight import POSITION
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked

WEIGHT = 1.3 * 9.81
HALF_TRACK = 0.10
HEIGHT = 0.16  # of the centre of mass
PRESSURE_HEIGHT = HEIGHT + 0.02
DRAG = 0.0337  # N/(m/s)2
WIND = 20.0


def standing(friction: float) -> Simulator:
    """An AR100B on ground so hard that its feet's half a millimetre is nothing beside the track."""
    simulator = parked()
    simulator.world["roughness"] = 0.0
    parameters = simulator.record["parameters"]
    parameters["friction"] = friction
    parameters["contact_depth"] = 0.0005
    simulator.record["state"]["motion"][POSITION + 2] = 0.0005 - HEIGHT
    return simulator


def blown(wind: float, friction: float, centre_of_pressure_up: float = 0.02) -> Simulator:
    """Three seconds of wind from behind, the same at all heights, on an AR100B that stands. It
    rises within 0.3 s, slowly beside the feet's springs and fast beside the sliding."""
    simulator = standing(friction)
    simulator.record["parameters"]["centre_of_pressure"] = (0.0, 0.0, -centre_of_pressure_up)
    simulator.set_wind_table(wind_table([(0.0, 0.0, 0.0, 0.0), (0.3, wind, 0.0, 0.0)]))
    simulator.advance(3000)
    return simulator


def leaning_deg(simulator: Simulator) -> float:
    """Tipped over it lies on feet and arms, leaning by 40 degrees."""
    _, x, y, _ = simulator.output["true_quaternion"].tolist()
    return math.degrees(math.acos(1.0 - 2.0 * (x * x + y * y)))


def sliding_moment(friction: float) -> float:
    """Moment in Nm that tips it while it slides."""
    return friction * WEIGHT * HEIGHT + DRAG * WIND**2 * (PRESSURE_HEIGHT - HEIGHT)


FRICTION_THAT_TIPS = (WEIGHT * HALF_TRACK - sliding_moment(0.0)) / (WEIGHT * HEIGHT)


@pytest.mark.parametrize("friction", [0.1, 0.3, 0.9 * FRICTION_THAT_TIPS])
def test_with_little_friction_it_slides(friction: float) -> None:
    assert friction * WEIGHT < DRAG * WIND**2
    assert sliding_moment(friction) < WEIGHT * HALF_TRACK
    simulator = blown(WIND, friction)
    assert leaning_deg(simulator) < 3.0
    assert simulator.output["crashed"] == 0
    assert simulator.output["true_position"][0] > 1.0


def test_it_begins_to_slide_with_what_friction_leaves_of_the_drag() -> None:
    """m a = D - mu W: half a second later the drag has fallen by a tenth at most."""
    simulator = standing(0.3)
    simulator.set_wind(WIND, 0.0)
    simulator.advance(400)
    gained = simulator.output["true_velocity"][0].copy()
    simulator.advance(100)
    still = (WIND - simulator.output["true_velocity"][0]) ** 2
    expected = (DRAG * still - 0.3 * WEIGHT) / 1.3
    found = (simulator.output["true_velocity"][0] - gained) / 0.1
    assert found == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("friction", [1.1 * FRICTION_THAT_TIPS, 0.8, 1.5])
def test_with_much_friction_it_tips(friction: float) -> None:
    assert sliding_moment(friction) > WEIGHT * HALF_TRACK
    assert DRAG * WIND**2 * PRESSURE_HEIGHT > WEIGHT * HALF_TRACK
    simulator = blown(WIND, friction)
    assert leaning_deg(simulator) > 30.0
    assert simulator.output["crashed"] == 1


@pytest.mark.parametrize(("share", "tips"), [(0.98, False), (1.02, True)])
def test_the_wind_that_tips_what_cannot_slide(share: float, tips: bool) -> None:
    """D h_p = W t: 14.5 m/s for the AR100B."""
    limit = math.sqrt(WEIGHT * HALF_TRACK / (DRAG * PRESSURE_HEIGHT))
    assert limit == pytest.approx(14.5, abs=0.1)
    simulator = blown(share * limit, 5.0)
    assert bool(simulator.output["crashed"]) is tips
    assert (leaning_deg(simulator) > 30.0) is tips


def test_the_wind_that_moves_what_cannot_tip() -> None:
    """D = mu W with the drag low enough above the ground: 11 m/s at a friction of 0.3."""
    limit = math.sqrt(0.3 * WEIGHT / DRAG)
    held, moved = (
        float(blown(share * limit, 0.3, -HEIGHT).output["true_position"][0])
        for share in (0.97, 1.03)
    )
    assert held < 0.01
    assert moved > 0.1


def test_drag_at_the_centre_of_mass_only_pushes() -> None:
    """Negative control: where drag knew no place, friction alone could tip it, and 0.6 did not."""
    assert sliding_moment(0.6) > WEIGHT * HALF_TRACK
    assert 0.6 * WEIGHT * HEIGHT < WEIGHT * HALF_TRACK
    assert blown(WIND, 0.6, 0.0).output["crashed"] == 0
    assert blown(WIND, 0.6).output["crashed"] == 1


def test_a_payload_moves_the_centre_of_pressure_with_everything_else() -> None:
    """Places are measured from the centre of mass, which 3 of 10 kg 0.15 m below lower by 45 mm."""
    empty, loaded = (parked(1, name).aircraft.parameters for name in ("ar200", "ar200-payload"))
    shift = loaded["centre_of_pressure"] - empty["centre_of_pressure"]
    assert shift == pytest.approx(np.array([0.0, 0.0, -0.045]))
