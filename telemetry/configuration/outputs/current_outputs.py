"""Outputs of an aircraft: as they are on board, or as they would be once all is sent."""

from typing import Any, Final

from telemetry.configuration.airframe.airframe import Airframe, find_airframe
from telemetry.configuration.outputs.output import Output, read_outputs
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import whole_fields
from telemetry.recording.sample import ReadValues, Values

OBJECTS: Final = ("ActuatorSettings", "MixerSettings", "SystemSettings")


def outputs_on_board(settings: Configuration) -> tuple[Output, ...]:
    """The outputs as the aircraft drives them now; none while it is not known."""
    return _outputs(settings, settings.aircraft.values)


def outputs_shown(settings: Configuration) -> tuple[Output, ...]:
    """The outputs with what is staged."""
    return _outputs(settings, settings.values)


def frame_of(settings: Configuration) -> Airframe | None:
    """The airframe an aircraft says it is, with what is staged; None if it has no table."""
    return _frame(settings.values)


def fields_of(settings: Configuration, name: str, values: Values) -> dict[str, Any]:
    """Values by path as values by field; none of an object this aircraft does not have."""
    definition = settings.definition(name)
    return whole_fields(definition, values) if definition is not None else {}


def stamp_of(settings: Configuration) -> object:
    """Something that differs when the outputs may have changed."""
    return settings.version, stamp_on_board(settings)


def stamp_on_board(settings: Configuration) -> object:
    """Something that differs when the outputs on board may have changed."""
    return settings.aircraft.board, *(settings.aircraft.stamp(name) for name in OBJECTS)


def _outputs(settings: Configuration, values: ReadValues) -> tuple[Output, ...]:
    actuators, mixer = (fields_of(settings, name, values(name)) for name in OBJECTS[:2])
    return read_outputs(actuators, mixer, _frame(values), settings.aircraft.board)


def _frame(values: ReadValues) -> Airframe | None:
    return find_airframe(str(values("SystemSettings").get("AirframeType", "")))
