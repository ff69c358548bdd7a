"""The AR.Drone flown by the sticks of a station, without any loop of an autopilot in between."""

import math

import pytest

from simulation.scenarios.experiment import Experiment
from simulation.scenarios.scenario import Scenario, ScenarioStep
from telemetry.protocol.objects.catalogue import Catalogue


@pytest.mark.slow
def test_sticks_are_its_commands(catalogue: Catalogue) -> None:
    """c4 and c2 of tum_ardrone: half a stick is 17.5 degrees, and 5.35 m/s in the end; the
    throttle in the middle keeps the height."""
    steps = (
        ScenarioStep("arm"),
        ScenarioStep("fly", mode="Stabilized1", throttle=0.9, seconds=3.0),
        ScenarioStep("fly", mode="Stabilized1", throttle=0.5, seconds=3.0),
        ScenarioStep("fly", mode="Stabilized1", throttle=0.5, pitch=-0.5, seconds=6.0),
    )
    flight = Experiment(Scenario("sticks", "Sticks", steps=steps), 1, "ardrone", catalogue).fly()
    assert flight.script_failure() == ""
    output = flight.autopilot.simulator.output
    north, _, down = output["true_velocity"]
    assert north == pytest.approx(17.8 * math.sin(math.radians(17.5)), rel=0.07)
    assert down == pytest.approx(0.0, abs=0.05)
