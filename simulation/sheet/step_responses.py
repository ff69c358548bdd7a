"""Step responses of an aircraft on each stick: the scenario *step-test*."""

from collections.abc import Iterable
from dataclasses import replace

from simulation.scenarios.experiment import Experiment
from simulation.scenarios.experiments import step_test
from simulation.scenarios.figure import Axes
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import Catalogue


def step_answers(airframe: str, catalogue: Catalogue, axes: Iterable[str]) -> tuple[Axes, ...]:
    """The diagrams of these axes, flown with the gains of the preset and through its sensors."""
    scenario = load_scenario("step-test")
    outcome = step_test.run(Experiment(scenario, seed=1, aircraft=airframe, catalogue=catalogue))
    drawn = outcome.figure.axes if outcome.figure else ()
    wanted = {axis.capitalize() for axis in axes}
    return tuple(
        replace(diagram, title=f"Step in {diagram.title.lower()}")
        for diagram in drawn
        if diagram.title in wanted
    )
