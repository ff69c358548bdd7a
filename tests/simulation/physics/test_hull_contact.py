"""What comes between an aircraft's contact points touches it: poles, posts, rails, edges. What is
expected is geometry: who passes through a pole has had its axis near to the centre of mass."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simulation.physics.hull_shape import set_hull
from simulation.physics.invariants import energy_j
from simulation.records.flight import ATTITUDE, PARAMETERS, POSITION, VELOCITY
from simulation.simulator.flown_world import FlownWorld
from simulation.simulator.simulator import Simulator
from simulation.worlds.world import Cylinder, Placed, Surface
from tests.simulation.flights import in_even_gravity, parked
from tests.simulation.worlds.flown import box, world_of

Array = npt.NDArray[np.float64]

UP_M = 40.0
"""Where poles are hit: far above the ground."""


def _pole(attitude_deg: Any = (0.0, 0.0, 0.0), height_m: float = 80.0) -> Cylinder:
    """2 cm thick, on the ground 5 m north of the origin."""
    return Cylinder("pole", Surface(), Placed((5.0, 0.0, 0.0), attitude_deg), 0.01, height_m)


def _simulator(*bodies: Any, hull: bool = True) -> Simulator:
    return _in(world_of(*bodies), hull)


def _in(world: FlownWorld, hull: bool) -> Simulator:
    """Its motors are off; without its hull it is only its contact points."""
    simulator = parked()
    simulator.enter(world)
    in_even_gravity(simulator)
    if not hull:
        simulator.record["parameters"]["hull_plane_count"] = 0
    return simulator


def _thrown(simulator: Simulator, place: Any, velocity: Any, attitude: Any = (1, 0, 0, 0)) -> None:
    motion = simulator.record["state"]["motion"]
    motion[POSITION : POSITION + 3] = place
    motion[VELOCITY : VELOCITY + 3] = velocity
    motion[ATTITUDE : ATTITUDE + 4] = np.divide(attitude, np.linalg.norm(attitude))


def _nearest(seeds: range, tilt_deg: float, hull: bool = True) -> list[float]:
    """How near the centre of mass came to the pole's axis in each throw at it, in m."""
    axis = np.array((0.0, np.sin(np.radians(tilt_deg)), -np.cos(np.radians(tilt_deg))))
    aim = np.array((5.0, 0.0, 0.0)) + axis * UP_M
    world, found = world_of(_pole((tilt_deg, 0.0, 0.0))), []
    for seed in seeds:
        random = np.random.default_rng(seed)
        simulator = _in(world, hull)
        way = np.cross(axis, random.normal(size=3))
        way /= np.linalg.norm(way)
        aside = random.uniform(-0.04, 0.04) * np.cross(way, axis)
        away = float(simulator.record["parameters"]["contact_reach"]) + 0.05
        _thrown(
            simulator,
            aim - away * way + aside,
            random.uniform(2.0, 10.0) * way,
            random.normal(size=4),
        )
        nearest = np.inf
        for _ in range(60):
            simulator.advance(4)
            place = np.array(simulator.record["state"]["motion"][:3]) - aim
            nearest = min(nearest, float(np.linalg.norm(place - (place @ axis) * axis)))
        found.append(nearest)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("tilt_deg", [0.0, 50.0])
def test_no_throw_passes_through_a_pole_of_2_cm(tilt_deg: float) -> None:
    assert min(_nearest(range(30), tilt_deg)) > 0.06


@pytest.mark.slow
def test_by_its_points_alone_it_passes_through() -> None:
    """The negative control."""
    nearest = _nearest(range(30), 0.0, hull=False)
    assert sum(distance < 0.05 for distance in nearest) > 8


@pytest.mark.parametrize("hull", [True, False])
def test_it_lands_on_a_post_between_its_feet(hull: bool) -> None:
    """Which ends 0.4 m above the ground; its feet are 0.16 m below its centre of mass."""
    simulator = _simulator(_pole(height_m=0.4), hull=hull)
    _thrown(simulator, (5.02, 0.01, -0.9), (0.0, 0.0, 0.0))
    lowest = -np.inf
    for _ in range(50):
        simulator.advance(10)
        lowest = max(lowest, float(simulator.record["state"]["motion"][POSITION + 2]) + 0.4)
    assert (lowest < -0.1) == hull


def test_it_comes_to_rest_on_a_beam_between_its_feet_and_stays_there() -> None:
    """14 cm wide, its upper side 0.54 m up: its centre of mass is 0.16 m above that."""
    simulator = _simulator(box((0.0, 0.0, -0.5), (8.0, 0.14, 0.04)))
    _thrown(simulator, (0.0, 0.0, -0.85), (0.0, 0.0, 0.0))
    parameters = simulator.record["parameters"]
    motions, energies = [], []
    for _ in range(200):
        simulator.advance(5)
        motions.append(np.array(simulator.record["state"]["motion"]))
        energies.append(energy_j(parameters, motions[-1]))
    assert max(energies) <= energies[0] + 1e-6
    assert motions[-1][:3] == pytest.approx((0.0, 0.0, -0.7), abs=0.03)
    assert np.abs(np.array(motions[-40:])[:, VELOCITY : VELOCITY + 3]).max() < 0.01
    assert simulator.output["touches_ground"] == 1
    assert simulator.output["crashed"] == 0


def test_on_level_ground_points_alone_press() -> None:
    simulator = _simulator()
    _thrown(simulator, (0.3, 0.2, -0.6), (1.0, 0.5, 1.0))
    for _ in range(200):
        simulator.advance(5)
        assert simulator.record["state"]["hull_part"].tolist() == [-1, -1, -1]
    assert simulator.output["touches_ground"] == 1


def _with_hull(points: Any, feet: int) -> Any:
    parameters = np.zeros(1, PARAMETERS)[0]
    parameters["foot_count"], parameters["point_count"] = feet, len(points)
    parameters["point"][: len(points)] = points
    set_hull(parameters)
    return parameters


def test_the_hull_of_a_box_has_its_sides_and_edges() -> None:
    corners = np.stack(np.meshgrid((-0.3, 0.3), (-0.2, 0.2), (-0.1, 0.1)), -1).reshape(-1, 3)
    feet_first = corners[np.argsort(-corners[:, 2], kind="stable")]
    hull = _with_hull([*feet_first, (0.0, 0.0, 0.0)], 4)
    assert (hull["hull_plane_count"], hull["hull_edge_count"]) == (6, 12)
    planes = hull["hull_plane"][:6]
    assert sorted(planes[:, 3].round(9)) == pytest.approx([0.1, 0.1, 0.2, 0.2, 0.3, 0.3])
    below = planes[:, 2] > 0.5
    assert hull["hull_stands"][:6].tolist() == below.astype(int).tolist()


def test_what_is_flat_has_no_hull() -> None:
    hull = _with_hull([(1.0, 1.0, 0.1), (1.0, -1.0, 0.1), (-1.0, 1.0, 0.1), (-1.0, -1.0, 0.1)], 4)
    assert (hull["hull_plane_count"], hull["hull_edge_count"]) == (0, 0)
