"""Outputs of an aircraft: as they are on board, or as they would be once all is sent."""

from collections.abc import Mapping
from typing import Any, Final

from telemetry.configuration.airframe.airframe import Airframe, find_airframe
from telemetry.configuration.outputs.output import Output, read_outputs
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import whole_fields
from telemetry.recording.sample import Value

OBJECTS: Final = ("ActuatorSettings", "MixerSettings", "SystemSettings")


def outputs_on_board(settings: Configuration) -> tuple[Output, ...]:
    """The outputs as the aircraft drives them now; none while it is not known."""
    return _outputs(settings, {name: settings.aircraft.values(name) for name in OBJECTS})


def outputs_shown(settings: Configuration) -> tuple[Output, ...]:
    """The outputs with what is staged."""
    return _outputs(settings, {name: settings.values(name) for name in OBJECTS})


def frame_of(settings: Configuration) -> Airframe | None:
    """The airframe an aircraft says it is, with what is staged; None if it has no table."""
    return _frame(settings.values("SystemSettings"))


def fields_of(settings: Configuration, name: str, values: Mapping[str, Value]) -> dict[str, Any]:
    """Values by path as values by field; none of an object this aircraft does not have."""
    definition = settings.definition(name)
    return whole_fields(definition, values) if definition is not None else {}


def stamp_of(settings: Configuration) -> object:
    """Something that differs when the outputs may have changed."""
    return settings.version, stamp_on_board(settings)


def stamp_on_board(settings: Configuration) -> object:
    """Something that differs when the outputs on board may have changed."""
    return settings.aircraft.board, *(settings.aircraft.stamp(name) for name in OBJECTS)


def _outputs(
    settings: Configuration, values: Mapping[str, Mapping[str, Value]]
) -> tuple[Output, ...]:
    actuators, mixer = (fields_of(settings, name, values[name]) for name in OBJECTS[:2])
    frame = _frame(values["SystemSettings"])
    return read_outputs(actuators, mixer, frame, settings.aircraft.board)


def _frame(values: Mapping[str, Value]) -> Airframe | None:
    return find_airframe(str(values.get("AirframeType", "")))
