"""The fields of a recording that can be plotted, and how they are named and searched."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from telemetry.flight_state import RENAMED
from telemetry.objects.definition import FieldDefinition, FieldType
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track

FIELD_MIME = "application/x-lapwing-field"
"""What is dragged from one view to another: paths, one per line, as UTF-8."""


@runtime_checkable
class FieldTaker(Protocol):
    """A view that other views can hand a field to, without the mouse."""

    def takes_field(self, path: str) -> bool:
        """Whether the field at `path` can be shown here."""

    def take_field(self, path: str) -> None:
        """Show the field at `path`."""


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


def expand_paths(recording: Recording, text: str) -> list[str]:
    """The plottable paths in dropped or typed text; an array field stands for its elements."""
    found: list[str] = []
    for line in text.split():
        ref = find_field(recording, line)
        if ref is None:
            continue
        is_array = ref.field.elements > 1 and line.count(".") == 1
        elements = range(ref.field.elements) if is_array else (ref.element,)
        found += [path_of(ref.track, ref.field, element) for element in elements]
    return found


def search_fields(entries: list[FieldEntry], text: str) -> list[FieldEntry]:
    """The entries that hold every word of `text`, best first, unchanged order within a rank.

    A word at the start of a part of the path ("roll" in "AttitudeState.Roll") counts more than
    one inside.
    """
    words = text.lower().split()
    if not words:
        return entries
    ranked = []
    for entry in entries:
        searched = f"{entry.path} {entry.unit}".lower()
        if all(word in searched for word in words):
            parts = entry.path.lower().replace("[", ".").split(".")
            starts = sum(any(part.startswith(word) for part in parts) for word in words)
            exact = sum(word in parts for word in words)
            ranked.append((-exact, -starts, entry))
    ranked.sort(key=lambda item: item[:2])
    return [entry for _, _, entry in ranked]


_NO_UNITS = {"function", "channel", "mode", "hex", "raw", "uavoid", "bool", "option", "-", "none"}
_SHORT_UNITS = {
    "deg": "°",
    "degrees": "°",
    "deg/s": "°/s",
    "degrees/sec": "°/s",
    "deg C": "°C",
    "C": "°C",
    "percent": "%",
    "sec": "s",
    "seconds": "s",
    "meters": "m",
    "us": "µs",
    "m/s^2": "m/s²",
    "bytes/sec": "B/s",
}


def short_unit(unit: str) -> str:
    """A definition's unit as it stands beside a number; what says nothing there is left out."""
    unit = _SHORT_UNITS.get(unit.strip(), unit.strip())
    return "" if unit in _NO_UNITS else unit


def short_labels(paths: list[str]) -> tuple[str, list[str]]:
    """What all paths have in common (an object's name, or nothing), and what tells them apart."""
    heads = {path.partition(".")[0] for path in paths}
    if len(heads) == 1:
        return heads.pop(), [path.partition(".")[2] for path in paths]
    return "", list(paths)
