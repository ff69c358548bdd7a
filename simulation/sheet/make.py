"""Sheet of any aircraft, made for `lapwing sim sheet NAME --plot sheet.png`."""

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.preset import load_preset
from simulation.records.flight import COMMANDED, FIXED_WING
from simulation.sheet import aeroplane, rotorcraft
from simulation.sheet.contents import AircraftSheet
from simulation.sheet.step_responses import step_answers
from telemetry.protocol.objects.catalogue import Catalogue


def make_sheet(airframe: str, catalogue: Catalogue) -> AircraftSheet:
    """By the name of a shipped airframe, or the path of its .json file; flies for a while.

    Raises PresetError or ParameterError for files that say nothing, NoTrimError for an
    aeroplane that cannot fly, and ValueError for an aircraft that has neither rotors nor a wing.
    """
    preset = load_preset(airframe)
    aircraft = load_aircraft(preset.aircraft)
    if aircraft.parameters["kind"] == COMMANDED:
        raise ValueError(
            f"{aircraft.name} is described by how it follows commands; its file says all there is "
            "to know. A sheet tells what rotors or a wing can do."
        )
    kind = aeroplane if aircraft.parameters["kind"] == FIXED_WING else rotorcraft
    rows, steady = kind.describe(aircraft, preset, catalogue)
    axes = (*steady, *step_answers(airframe, catalogue, kind.STEP_AXES))
    return AircraftSheet(aircraft.name, aircraft.description, rows, axes)
