"""The controllers that see by optic flow, each in a world, with what must make it fail."""

import numpy as np
import pytest

from examples.flow import fly_your_own
from simulation.flown_world import open_world
from simulation.scenarios.coaxial_flight import CoaxialCommand
from simulation.scenarios.controllers.constant_flow import ConstantFlow
from simulation.scenarios.controllers.hover_in_place import HoverInPlace
from simulation.scenarios.controllers.obstacle_avoidance import ObstacleAvoidance
from simulation.scenarios.controllers.wall_following import WallFollowing
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.flow_flight import FlowFlight, fly_in_world
from simulation.scenarios.flow_view import FlowController, FlowView
from simulation.scenarios.scenario_file import load_scenario
from telemetry.objects.catalogue import Catalogue

pytestmark = pytest.mark.slow

WALL_M = 4.0
NORTH_M = 2.0
HALL = "corridor:width_m=5,length_m=6,texture=noise"
LONG_HALL = "corridor:width_m=8,length_m=30,texture=noise"


@pytest.fixture
def experiment(catalogue: Catalogue) -> Experiment:
    return Experiment(load_scenario("corridor"), 1, "mcx2", catalogue)


def begun(
    experiment: Experiment, world: str, controller: FlowController, east_m: float
) -> FlowFlight:
    return fly_in_world(experiment, open_world(world), controller, (NORTH_M, east_m, -1.5))


def test_wall_following_comes_to_its_distance(experiment: Experiment) -> None:
    loop = begun(experiment, LONG_HALL, WallFollowing(), WALL_M - 1.1)
    assert loop.fly(500) == 500, "it does not touch the wall"
    assert WALL_M - loop.flight.place[1] == pytest.approx(0.7, abs=0.15)


def test_wall_following_with_the_wrong_sign_does_not(experiment: Experiment) -> None:
    loop = begun(experiment, LONG_HALL, WallFollowing(roll_per_count=-0.06), WALL_M - 1.1)
    loop.fly(300)
    assert abs(WALL_M - loop.flight.place[1] - 0.7) > 0.3


def pushed(experiment: Experiment, controller: FlowController, cycles: int) -> tuple[float, float]:
    """How far away, and how fast, it is so long after it was pushed with half a metre a second."""
    loop = begun(experiment, "corridor:width_m=4,texture=noise", controller, 0.3)
    loop.flight.begin_with((0.4, -0.3, 0.0))
    loop.fly(cycles)
    north, east, _ = loop.flight.place
    speed = loop.flight.track["true_velocity"][-1, :2]
    return float(np.hypot(north - NORTH_M, east - 0.3)), float(np.linalg.norm(speed))


def test_hover_in_place_returns_and_stops(experiment: Experiment) -> None:
    away, speed = pushed(experiment, HoverInPlace(), 600)
    assert away < 0.2
    assert speed < 0.05
    away, speed = pushed(experiment, HoverInPlace(per_count=0.0, per_way=0.0), 150)
    assert away > 0.5
    assert speed > 0.05


def test_saccades_keep_it_off_walls(experiment: Experiment) -> None:
    avoiding = ObstacleAvoidance()
    assert begun(experiment, HALL, avoiding, 0.5).fly(500) == 500
    assert avoiding.saccades >= 1
    assert begun(experiment, HALL, ObstacleAvoidance(growth=1e9), 0.5).fly(500) < 500


def test_constant_flow_flies_faster_where_it_is_wider(experiment: Experiment) -> None:
    speeds = []
    for width in (1.6, 3.0):
        loop = begun(experiment, f"corridor:width_m={width}", ConstantFlow(), 0.1)
        assert loop.fly(350) == 350
        speeds.append(float(loop.flight.track["true_velocity"][-100:, 0].mean()))
    assert speeds[1] > 1.15 * speeds[0]


def test_a_controller_is_a_function_of_what_is_seen(experiment: Experiment) -> None:
    """Anyone's; it is told time, height and flow, and what it says is done."""
    views: list[FlowView] = []

    def ahead(view: FlowView) -> CoaxialCommand:
        views.append(view)
        return CoaxialCommand(pitch=-1.0)

    loop = begun(experiment, HALL, ahead, 0.0)
    loop.fly(100)
    assert [view.time_s for view in views[:3]] == pytest.approx([0.0, 0.016, 0.032])
    assert views[0].height_m == pytest.approx(1.5)
    assert not views[0].flow.any(), "the first picture has none"
    assert views[-1].flow.shape == views[-1].azimuths_rad.shape == (8,)
    assert loop.flight.track["true_velocity"][-1, 0] > 0.3


def test_the_example_finds_the_middle_of_its_corridor(experiment: Experiment) -> None:
    world = open_world(fly_your_own.WORLD)
    loop = fly_in_world(experiment, world, fly_your_own.Controller(), fly_your_own.START_M)
    assert loop.fly(500) == 500
    assert abs(loop.flight.place[1]) < 0.3 < fly_your_own.START_M[1]
