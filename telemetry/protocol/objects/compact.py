"""The compact resource: every object version of the released firmware, without ids.

Layout in `resources/objects/README.md`. Reading costs some 15 ms, building a definition some
20 us, so definitions are built when they are asked for.
"""

import json
import lzma
import math
from functools import cached_property
from pathlib import Path
from typing import Any

from telemetry.protocol.objects.definition import (
    LARGEST_FLOAT,
    FieldDefinition,
    FieldType,
    ObjectDefinition,
    UpdateMode,
    UpdatePolicy,
)
from telemetry.protocol.objects.id_index import stored_ids

_FORMAT = 1


class CompactDefinitions:
    """Definitions by their position in the resource file, built on demand and kept."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fields: dict[int, FieldDefinition] = {}
        self._objects: dict[int, ObjectDefinition] = {}
        self._by_release: dict[str, dict[int, int]] = {}

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(lzma.decompress(self._path.read_bytes()))
        if data["format"] != _FORMAT:
            raise ValueError(f"{self._path.name} has format {data['format']}, not {_FORMAT}")
        return data

    @property
    def release_names(self) -> tuple[str, ...]:
        """Releases by family, the newest of each family first."""
        return tuple(self._data["releases"])

    def release(self, name: str) -> tuple[ObjectDefinition, ...]:
        """The definitions of one release, ordered by name."""
        return tuple(self._object(position) for position in self._data["releases"][name])

    def all(self) -> tuple[ObjectDefinition, ...]:
        """Every version of every object."""
        return tuple(self._object(position) for position in range(len(self._data["objects"])))

    def ids(self, release: str) -> frozenset[int]:
        """The ids of the definitions of one release."""
        return frozenset(self._positions_in(release))

    def with_id(self, object_id: int, release: str = "") -> ObjectDefinition | None:
        """The definition with this id, as `release` says it or, without one, the newest."""
        position = self._positions_in(release).get(object_id)
        return None if position is None else self._object(position)

    def _positions_in(self, release: str) -> dict[int, int]:
        """Where each id stands, first, in a release or in all."""
        if release not in self._by_release:
            every = range(len(self._ids))
            members = self._data["releases"].get(release, ()) if release else every
            self._by_release[release] = {self._ids[i]: i for i in reversed(members)}
        return self._by_release[release]

    @cached_property
    def _ids(self) -> tuple[int, ...]:
        """The id of each definition, by its position."""
        return stored_ids(self._path) or tuple(each.object_id for each in self.all())

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        positions: dict[str, list[int]] = {}
        for release in self._data["releases"].values():
            for position in release:
                versions = positions.setdefault(self._data["objects"][position][0].lower(), [])
                if position not in versions:
                    versions.append(position)
        return positions

    def versions(self, name: str) -> tuple[ObjectDefinition, ...]:
        """Every version of the object called `name` (letter case aside), newest first."""
        return tuple(self._object(position) for position in self._positions.get(name.lower(), ()))

    def _object(self, position: int) -> ObjectDefinition:
        if position not in self._objects:
            self._objects[position] = self._build_object(self._data["objects"][position])
        return self._objects[position]

    def _build_object(self, entry: list[Any]) -> ObjectDefinition:
        name, flags, category, fields, flight, gcs, logging = entry
        return ObjectDefinition(
            name=name,
            fields=tuple(self._field(position) for position in fields),
            settings="s" in flags,
            single_instance="1" in flags,
            description=self._data["descriptions"].get(name, ""),
            category=category,
            sorted_by_size="u" not in flags,
            flight_readonly="f" in flags,
            gcs_readonly="g" in flags,
            flight_policy=_policy(flight),
            gcs_policy=_policy(gcs),
            logging_policy=_policy(logging),
            priority="p" in flags,
        )

    def _field(self, position: int) -> FieldDefinition:
        if position not in self._fields:
            self._fields[position] = self._build_field(self._data["fields"][position])
        return self._fields[position]

    def _build_field(self, entry: list[Any]) -> FieldDefinition:
        name, type_name, elements, units, element_names, options, numbers, defaults, limits = entry
        lists = self._data["lists"]
        field_type = FieldType.named(type_name)
        return FieldDefinition(
            name=name,
            type=field_type,
            elements=elements,
            units=units,
            element_names=tuple(lists[element_names]),
            options=tuple(lists[options]),
            option_values=tuple(lists[numbers]) or tuple(range(len(lists[options]))),
            defaults=tuple(parse_default(text, field_type) for text in lists[defaults]),
            limits=limits,
        )


def parse_default(text: str, field_type: FieldType) -> float | int | str:
    """A default as a number; the text itself for an option, or where it is no number.

    Raises OverflowError for a number that no field can hold.
    """
    if field_type is FieldType.ENUM:
        return text
    try:
        number = float(text) if field_type is FieldType.FLOAT else _parse_integer(text)
    except ValueError:
        return text
    except OverflowError:
        number = math.inf
    if abs(number) > LARGEST_FLOAT:
        raise OverflowError(f"{text[:40]} is more than any field can hold")
    return number


def parse_mode(text: str) -> UpdateMode:
    """The update mode called `text`; the older word "never" means manual."""
    word = text.strip().lower()
    if word == "never":
        return UpdateMode.MANUAL
    try:
        return UpdateMode[word.upper()]
    except KeyError:
        raise ValueError(f"unknown update mode '{text}'") from None


def _parse_integer(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        return int(float(text))


def _policy(entry: list[Any]) -> UpdatePolicy:
    mode, period_ms, acked = entry
    return UpdatePolicy(parse_mode(mode), period_ms, bool(acked))
