"""Metaobjects as settings: when an object is sent and logged, read and staged like its values."""

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import read_values
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values, row_of

META = "Meta"
"""What the name of a metaobject ends in."""


def held_metadata(settings: Configuration, name: str) -> Metadata | None:
    """The metadata of an object as staged, else as on board; None where the aircraft has not told
    them."""
    definition = settings.definition(f"{name}{META}")
    if definition is None:
        return None
    return Metadata.unpack(pack_values(definition, settings.values(f"{name}{META}")))


def stage_metadata(settings: Configuration, name: str, metadata: Metadata) -> None:
    """Stage what of an object's metadata is not on board; raises ValueError for a period that does
    not fit, and does nothing for an object that the aircraft lacks."""
    definition = settings.definition(f"{name}{META}")
    if definition is not None:
        wanted = row_of(definition, metadata.pack(definition.size))
        settings.stage_all(f"{name}{META}", read_values(definition, wanted))
