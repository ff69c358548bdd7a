"""Row sources: one object instance, or an object's metadata, at the cursor."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from telemetry.protocol.objects.definition import (
    FieldDefinition,
    FieldType,
    ObjectDefinition,
    UpdateMode,
    UpdatePolicy,
)
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track

GLOW_S = 0.8
"""How long a changed value glows."""
RATE_S = 5.0
"""Over how long a rate is taken."""
_RATE_SAMPLES = 500
_SILENT_AFTER = 4.0
"""After so many periods without a sample nothing arrives any more."""

Slice = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SourceKey:
    """An instance of an object version, or its metadata."""

    object_id: int
    instance: int
    is_metadata: bool = False


class ObjectSource:
    """Follows one instance through the recording. `row` is what was known at the cursor.

    `form` is the definition whose fields are shown: the object's own, or METADATA_FORM. Slices
    of the row that are watched remember when (`clock` seconds) they changed.
    """

    def __init__(self, definition: ObjectDefinition, instance: int, is_metadata: bool) -> None:
        self.definition = definition
        self.instance = instance
        self.key = SourceKey(definition.object_id, instance, is_metadata)
        self.form = METADATA_FORM if is_metadata else definition
        self.is_setting = definition.settings and not is_metadata
        self.address = (f"{definition.name}{' metadata' if is_metadata else ''}", instance)
        self.row: np.void | None = None
        self.t = 0.0
        self.version = 0
        self.changed_at = float("-inf")
        self._bytes = b""
        self._track: Track | None = None
        self._index = -1
        self._watched: dict[Slice, float] = {}

    @property
    def is_received(self) -> bool:
        """Whether anything had arrived by the cursor."""
        return self.row is not None

    def shown_row(self) -> np.void:
        """The row at the cursor, or the defaults before any arrived."""
        if self.row is not None:
            return self.row
        if self.key.is_metadata:
            return metadata_row(Metadata.of(self.definition))
        return default_row(self.definition)

    def differs_from_default(self, part: Slice) -> bool:
        """Whether these bytes of a setting are not what its release starts with."""
        if not self.is_setting or self.row is None:
            return False
        start, stop = part
        return self._bytes[start:stop] != self._default_bytes[start:stop]

    @cached_property
    def _default_bytes(self) -> bytes:
        return default_row(self.definition).tobytes()

    def rate_hz(self, t: float) -> float:
        """How often it arrived in the last seconds before `t`; 0 if it has fallen silent."""
        track, last = self._track, self._index
        if track is None or last < 1:
            return 0.0
        times = track.times
        first = max(int(times.searchsorted(times[last] - RATE_S)), last - _RATE_SAMPLES)
        if first == last:
            first = last - 1
        duration_s = float(times[last] - times[first])
        if duration_s <= 0:
            return 0.0
        rate_hz = (last - first) / duration_s
        return rate_hz if (t - self.t) * rate_hz < _SILENT_AFTER else 0.0

    def watch(self, part: Slice) -> None:
        """Remember from now on when these bytes (start, stop) change."""
        self._watched.setdefault(part, float("-inf"))

    def part_changed_at(self, part: Slice) -> float:
        """When watched bytes changed last."""
        return self._watched.get(part, float("-inf"))

    def follow(self, recording: Recording, t: float, clock_s: float, *, glow: bool) -> bool:
        """Move to the cursor; True if another sample is shown now."""
        object_id = self.definition.object_id + self.key.is_metadata
        track = self._track
        if track is None:
            track = self._track = recording.track(object_id, self.instance)
            if track is None:
                return False
        count = track.count
        index = count - 1 if count and t >= track.last_s else track.index_at(t)
        if index == self._index:
            return False
        self._index = index
        self._take(track, index, clock_s if glow else None)
        return True

    def _take(self, track: Track, index: int, clock_s: float | None) -> None:
        self.version += 1
        if index < 0:
            self.row, self._bytes = None, b""
            return
        sample = track.sample(index)
        self.t = sample.t
        row = metadata_row(Metadata.unpack(sample.row.tobytes())) if self._is_meta else sample.row
        new, old = row.tobytes(), self._bytes
        self.row, self._bytes = row, new
        if clock_s is None or not old or new == old:
            return
        self.changed_at = clock_s
        for part in self._watched:
            if new[part[0] : part[1]] != old[part[0] : part[1]]:
                self._watched[part] = clock_s

    @property
    def _is_meta(self) -> bool:
        return self.key.is_metadata


def field_slice(form: ObjectDefinition, f: FieldDefinition, element: int | None) -> Slice:
    """The bytes of a field, or of one element, within a packed row."""
    fields = form.dtype.fields
    assert fields is not None
    start = int(fields[f.name][1])
    if element is None:
        return (start, start + f.type.size * f.elements)
    start += f.type.size * element
    return (start, start + f.type.size)


@lru_cache(maxsize=2048)
def default_row(definition: ObjectDefinition) -> np.void:
    """The defaults of a definition. Do not write."""
    return definition.default_row()


def _enum(name: str, description: str, *options: str) -> FieldDefinition:
    return FieldDefinition(
        name,
        FieldType.ENUM,
        options=options,
        option_values=tuple(range(len(options))),
        description=description,
    )


def _period(name: str, description: str) -> FieldDefinition:
    return FieldDefinition(name, FieldType.UINT32, units="ms", description=description)


_MODES = ("Manual", "Periodic", "On change", "Throttled")
METADATA_FORM = ObjectDefinition(
    name="Metadata",
    sorted_by_size=False,
    fields=(
        _enum("Flight access", "Whether the aircraft may write it.", "Read and write", "Read only"),
        _enum("Ground access", "Whether the station may write it.", "Read and write", "Read only"),
        _enum("Flight sends", "When the aircraft sends it.", *_MODES),
        _period("Flight period", "How often the aircraft sends it, or how often at most."),
        _enum("Flight acknowledged", "Whether the aircraft waits for an answer.", "No", "Yes"),
        _enum("Ground sends", "When the station sends it by itself.", *_MODES),
        _period("Ground period", "How often the station sends it, or how often at most."),
        _enum("Ground acknowledged", "Whether the station waits for an answer.", "No", "Yes"),
        _enum("Logged", "When the aircraft writes it to its own log.", *_MODES),
        _period("Logging period", "How often it is logged, or how often at most."),
    ),
)
"""Metadata taken apart into fields a person can read and edit; never on the wire."""


def metadata_row(metadata: Metadata) -> np.void:
    """Metadata as a row of METADATA_FORM."""
    values: dict[str, Any] = {
        "Flight access": int(metadata.flight_readonly),
        "Ground access": int(metadata.gcs_readonly),
        "Logged": metadata.logging.mode.value,
        "Logging period": metadata.logging.period_ms,
    }
    for side, policy in (("Flight", metadata.flight), ("Ground", metadata.gcs)):
        values[f"{side} sends"] = policy.mode.value
        values[f"{side} period"] = policy.period_ms
        values[f"{side} acknowledged"] = int(policy.acked)
    return row_of(METADATA_FORM, pack_values(METADATA_FORM, values))


def row_metadata(row: np.void) -> Metadata:
    """The metadata in a row of METADATA_FORM."""
    logging = UpdatePolicy(UpdateMode(int(row["Logged"])), int(row["Logging period"]))
    return Metadata(
        bool(row["Flight access"]),
        bool(row["Ground access"]),
        _row_policy(row, "Flight"),
        _row_policy(row, "Ground"),
        logging,
    )


def _row_policy(row: np.void, side: str) -> UpdatePolicy:
    return UpdatePolicy(
        UpdateMode(int(row[f"{side} sends"])),
        int(row[f"{side} period"]),
        bool(row[f"{side} acknowledged"]),
    )
