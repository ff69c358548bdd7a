"""Settings snapshot: a complete set at one moment, from a board, a log or a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from telemetry.configuration.settings.slots import read_values
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Value

Address = tuple[str, int]
"""An object's name and its instance."""


def object_name(address: Address) -> str:
    """Object, and instance if it is not the first, as users read it and files have it."""
    name, instance = address
    return f"{name}[{instance}]" if instance else name


def setting_name(address: Address, path: str) -> str:
    """Object and path, as series are named."""
    return f"{object_name(address)}.{path}"


@dataclass(frozen=True, slots=True)
class ObjectValues:
    """The values of one object instance, by path.

    `definition` is the version they were made with; None if nobody knows it. Then numbers may
    stand as texts.
    """

    name: str
    instance: int
    values: Mapping[str, Value]
    definition: ObjectDefinition | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was left out, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Objects by address, what they were taken from, and what was left out."""

    title: str
    objects: Mapping[Address, ObjectValues]
    skipped: tuple[Skipped, ...] = field(default=())


def snapshot_of(recording: Recording, title: str, t: float | None = None) -> Snapshot:
    """The settings a recording knew at `t`, or knows now."""
    objects = {}
    for track in recording.tracks():
        definition = track.definition
        if not definition.settings or definition.meta_of is not None:
            continue
        newest = recording.track(definition.name, track.instance)
        if t is None and newest is not track:  # of two versions the latest is on board
            continue
        sample = track.sample(track.count - 1) if t is None else track.sample_at(t)
        if sample is None:
            continue
        values = read_values(definition, sample.row)
        objects[definition.name, track.instance] = ObjectValues(
            definition.name, track.instance, values, definition
        )
    return Snapshot(title, dict(sorted(objects.items())))
