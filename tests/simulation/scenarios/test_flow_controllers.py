"""Controllers of users' own that see by optic flow. Those that ship are flown by scenarios."""

from dataclasses import replace

import pytest

from examples.flow import fly_your_own
from simulation.scenarios.coaxial_flight import CoaxialCommand
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.flow_flight import HEIGHT_NOISE_M, fly_in_world
from simulation.scenarios.flow_view import FlowView
from simulation.scenarios.scenario import ScenarioError
from simulation.scenarios.scenario_file import load_scenario
from simulation.simulator.flown_world import open_world
from telemetry.protocol.objects.catalogue import Catalogue

pytestmark = pytest.mark.slow


@pytest.fixture
def experiment(catalogue: Catalogue) -> Experiment:
    scenario = load_scenario("obstacle-avoidance")
    return Experiment(scenario, 1, scenario.aircraft, catalogue)


def test_a_controller_is_a_function_of_what_is_seen(experiment: Experiment) -> None:
    """Anyone's; it is told time, height and flow, and what it says is done."""
    views: list[FlowView] = []

    def ahead(view: FlowView) -> CoaxialCommand:
        views.append(view)
        return CoaxialCommand(pitch=-1.0)

    loop = fly_in_world(experiment, ahead, (2.0, 0.0, -1.5))
    loop.fly(100)
    assert [view.time_s for view in views[:3]] == pytest.approx([0.0, 0.016, 0.032])
    assert views[0].height_m == pytest.approx(1.5, abs=5.0 * HEIGHT_NOISE_M)
    assert not views[0].flow.any(), "the first picture has none"
    assert views[-1].flow.shape == views[-1].azimuths_rad.shape == (8,)
    assert loop.flight.track["true_velocity"][-1, 0] > 0.3


def test_the_example_finds_the_middle_of_its_corridor(experiment: Experiment) -> None:
    there = replace(experiment, world=open_world(fly_your_own.WORLD))
    loop = fly_in_world(there, fly_your_own.Controller(), fly_your_own.START_M)
    assert loop.fly(500) == 500
    assert abs(loop.flight.place[1]) < 0.3 < fly_your_own.START_M[1]


def test_where_there_is_nothing_to_see_nothing_is_flown(experiment: Experiment) -> None:
    nowhere = replace(experiment, scenario=replace(experiment.scenario, world_file=""))
    with pytest.raises(ScenarioError, match="give it a world"):
        fly_in_world(nowhere, fly_your_own.Controller(), fly_your_own.START_M)
