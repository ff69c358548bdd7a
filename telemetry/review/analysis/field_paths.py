"""Field paths: a recording's numbers by "Object.Field", "Object[instance].Field.element"."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from telemetry.recording.flight_state import RENAMED
from telemetry.recording.gps_fix import height_flags, is_height
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """One plottable number: its path, its unit, and whether it is a setting."""

    path: str
    unit: str
    is_setting: bool


@dataclass(frozen=True, slots=True)
class FieldRef:
    """Where a path leads in a recording: a track, a field of it, and the element's index."""

    path: str
    track: Track
    field: FieldDefinition
    element: int

    @property
    def is_enum(self) -> bool:
        """Whether its numbers stand for options."""
        return self.field.type is FieldType.ENUM

    @property
    def is_whole(self) -> bool:
        """Whether its values have no decimals."""
        return self.field.type is not FieldType.FLOAT

    def values(self, start: int = 0, stop: int | None = None) -> NDArray[np.generic]:
        """The samples from `start` to `stop`, enums as numbers; NaN for the height of a receiver
        without a fix that has one. A view: do not write."""
        values = self.track.values(self.field.name, self.element, start, stop)
        if not is_height(self.track, self.field.name):
            return values
        return np.where(height_flags(self.track, start, stop), values, np.nan)


def list_fields(recording: Recording) -> list[FieldEntry]:
    """Every numeric or enum element recorded, data objects before settings, sorted by name."""
    entries: dict[str, FieldEntry] = {}
    for track in recording.tracks():
        definition = track.definition
        if definition.meta_of is not None:
            continue
        for field in definition.fields:
            for element in range(field.elements):
                path = path_of(track, field, element)
                entries[path] = FieldEntry(path, field.units.strip(), definition.settings)
    return sorted(entries.values(), key=lambda entry: (entry.is_setting, entry.path.lower()))


def path_of(track: Track, field: FieldDefinition, element: int) -> str:
    """The path of one element, as `Recording.series` takes it."""
    instance = f"[{track.instance}]" if track.instance else ""
    label = f".{field.element_label(element)}" if field.elements > 1 else ""
    return f"{track.definition.name}{instance}.{field.name}{label}"


def find_field(recording: Recording, path: str) -> FieldRef | None:
    """Follow a path; None if nothing of that name is recorded (yet).

    Where another release calls the object differently, its name is followed: a workspace made
    for AttitudeState shows AttitudeActual of an old log.
    """
    head, _, rest = path.partition(".")
    name, _, number = head.rstrip("]").partition("[")
    if number and not number.isdecimal():
        return None
    field_name, _, label = rest.partition(".")
    track = _find_track(recording, name, int(number or 0))
    if track is None or not track.definition.has_field(field_name):
        return None
    field = track.definition.field_named(field_name)
    try:
        element = field.element_index(label) if label else 0
    except ValueError:
        return None
    return FieldRef(path, track, field, element)


def _find_track(recording: Recording, name: str, instance: int) -> Track | None:
    """The track of an object, under the name that the recorded release has for it."""
    track = recording.track(name, instance)
    others = (other for group in RENAMED if name in group for other in group if other != name)
    while track is None and (other := next(others, None)) is not None:
        track = recording.track(other, instance)
    return track
