"""Comparison sources: the board, other aircraft and logs, kept sets, and files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from telemetry.configuration.settings.configuration import Configuration, configuration_of
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
    settings = configuration_of(vehicle)
    own = CompareSource(BOARD, own_title(settings), lambda: document_of(vehicle))
    found = [own]
    for other in others:
        if other is not vehicle:
            found.append(
                CompareSource(f"vehicle:{other.name}", other.name, partial(document_of, other))
            )
    return found


def own_title(settings: Configuration) -> str:
    """What the aircraft shown is called among the sources."""
    return "In this log" if settings.aircraft.is_log else "On board"


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
    return CompareSource(
        f"file:{path}", f"File: {path.name}", lambda: read_settings(path, catalogue)
    )


def document_of(vehicle: Vehicle) -> SettingsDocument:
    """What a vehicle holds now, with who it is."""
    snapshot = configuration_of(vehicle).snapshot()
    return SettingsDocument(snapshot, identity_in(vehicle.recording), aircraft_name(snapshot))
