"""Comparison sources: the board, other aircraft and logs, kept sets, and files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.document import SettingsDocument, aircraft_name
from telemetry.configuration.settings.files import read_settings
from telemetry.configuration.settings.identity import identity_in
from telemetry.configuration.settings.sets import ConfigurationSets, SetEntry
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Vehicle

BOARD = "board"


@dataclass(frozen=True, slots=True)
class CompareSource:
    """One thing to compare. `load` may take a while and raises SettingsError."""

    key: str
    title: str
    load: Callable[[], SettingsDocument]


def vehicle_sources(vehicle: Vehicle, others: Sequence[Vehicle]) -> list[CompareSource]:
    """The aircraft itself, and whatever else is connected or open."""
    title = "In this log" if configuration_of(vehicle).aircraft.is_log else "On board"
    own = CompareSource(BOARD, title, partial(document_of, vehicle))
    return [own] + [
        CompareSource(f"vehicle:{other.name}", other.name, partial(document_of, other))
        for other in others
        if other is not vehicle
    ]


def set_sources(
    sets: ConfigurationSets, entries: Sequence[SetEntry], catalogue: Catalogue
) -> list[CompareSource]:
    """The sets that can be read."""
    return [
        CompareSource(f"set:{e.board}/{e.name}", f"Set: {e.name}", partial(sets.load, e, catalogue))
        for e in entries
        if not e.problem
    ]


def file_source(path: Path, catalogue: Catalogue) -> CompareSource:
    """A settings file."""
    title = f"File: {path.name}"
    return CompareSource(f"file:{path}", title, partial(read_settings, path, catalogue))


def document_of(vehicle: Vehicle) -> SettingsDocument:
    """What a vehicle holds now, with who it is."""
    snapshot = configuration_of(vehicle).snapshot()
    return SettingsDocument(snapshot, identity_in(vehicle.recording), aircraft_name(snapshot))
