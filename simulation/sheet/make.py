"""Sheet of any aircraft, made for `lapwing sim sheet NAME --plot sheet.png`."""

from collections.abc import Iterable
from dataclasses import replace

from simulation.autopilot.preset import load_preset
from simulation.records.flight import COMMANDED, FIXED_WING
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.experiments import step_test
from simulation.scenarios.figure import Axes
from simulation.scenarios.scenario_file import load_scenario
from simulation.sheet import aeroplane, rotorcraft
from simulation.sheet.contents import AircraftSheet
from telemetry.protocol.objects.catalogue import Catalogue


def make_sheet(airframe: str, catalogue: Catalogue) -> AircraftSheet:
    """By the name of a shipped airframe, or the path of its .json or .toml file; flies for a while.

    Raises PresetError or ParameterError for files that say nothing, NoTrimError for an
    aeroplane that cannot fly, and ValueError for an aircraft that has neither rotors nor a wing.
    """
    preset = load_preset(airframe)
    aircraft = preset.load_aircraft()
    if aircraft.parameters["kind"] == COMMANDED:
        raise ValueError(
            f"{aircraft.name} is described by how it follows commands; its file says all there is "
            "to know. A sheet tells what rotors or a wing can do."
        )
    kind = aeroplane if aircraft.parameters["kind"] == FIXED_WING else rotorcraft
    rows, steady = kind.describe(aircraft, preset, catalogue)
    axes = (*steady, *_step_answers(airframe, catalogue, kind.STEP_AXES))
    return AircraftSheet(aircraft.name, aircraft.description, rows, axes)


def _step_answers(airframe: str, catalogue: Catalogue, axes: Iterable[str]) -> tuple[Axes, ...]:
    """How it answers a step on each stick: the scenario *step-test*, flown with the gains of the
    preset and through its sensors."""
    scenario = load_scenario("step-test")
    outcome = step_test.run(Experiment(scenario, seed=1, aircraft=airframe, catalogue=catalogue))
    drawn = outcome.figure.axes if outcome.figure else ()
    wanted = {axis.capitalize() for axis in axes}
    return tuple(
        replace(diagram, title=f"Step in {diagram.title.lower()}")
        for diagram in drawn
        if diagram.title in wanted
    )
