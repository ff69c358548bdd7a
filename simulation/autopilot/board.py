"""Simulated board: its UAVObjects, which modules read and write and a station sees.

The board is what a flight session serves (`telemetry.protocol.session.Board`). Modules hold its
objects directly, write their rows and announce them; subscribers learn of every change, the
telemetry module only of the board's own ones, as on real firmware: a station's write is never
echoed.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.autopilot.preset import Preset
from simulation.records.members import Members
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import (
    MAX_INSTANCES,
    ObjectDefinition,
    UpdateMode,
    UpdatePolicy,
)
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType

METADATA_BYTES = 8

# Objects of the release that the firmware of a Revolution does not carry: those of other boards,
# those left out of its UAVObjects.inc, and those that no module built for it initialises (I2CStats,
# WatchdogStatus and MixerStatus are for diagnosis: flight/make/common-defs.mk). Nor does it carry
# SonarAltitude, which is here for aircraft whose own firmware reads a sonar.
ABSENT_OBJECTS = frozenset(
    {
        "FaultSettings",
        "FlightPlanControl",
        "FlightPlanStatus",
        "HoTTBridgeSettings",
        "HoTTBridgeStatus",
        "HwDiscoveryF4BareSettings",
        "HwPikoBLXSettings",
        "HwSPRacingF3EVOSettings",
        "HwSPRacingF3Settings",
        "HwTinyFISHSettings",
        "I2CStats",
        "MixerStatus",
        "NedAccel",
        "OsdSettings",
        "OPLinkReceiver",
        "OPLinkSettings",
        "OPLinkStatus",
        "OveroSyncSettings",
        "OveroSyncStats",
        "PerfCounter",
        "RadioComBridgeStats",
        "WatchdogStatus",
    }
)
TRUTH_OBJECTS = frozenset({"AttitudeSimulated", "GroundTruth"})
"""The simulator's, which no board has: a simulator tells them that its user knows to be one."""

_TRUTH_POLICY = UpdatePolicy(UpdateMode.PERIODIC, 100)

Listener = Callable[[], None]


class BoardObject:
    """One object on board: its rows, its metadata and who wants to know about changes.

    `refresh` is set by the module that owns a state object; it writes the newest values into
    `row` and is called just before the object is read, so that a state costs nothing while
    nobody looks. It is not called while the object `is_supplied`: while a station has made it
    read-only for the flight side in order to supply the values itself.

    `fields` are those of instance 0, for what is read or written in every loop: `row` takes five
    times as long.
    """

    __slots__ = (
        "_announced",
        "_factory",
        "_first",
        "_listeners",
        "_metadata",
        "definition",
        "factory_metadata",
        "fields",
        "is_supplied",
        "on_announce",
        "refresh",
        "row",
        "rows",
    )

    def __init__(
        self, definition: ObjectDefinition, factory_row: np.void, factory_metadata: Metadata
    ) -> None:
        self.definition = definition
        self.metadata = self.factory_metadata = factory_metadata
        self._take_rows(np.zeros(1, definition.dtype))
        self._factory = factory_row
        self._listeners: list[Listener] = []
        self.refresh: Listener | None = None
        self.on_announce: Callable[[BoardObject, int], None] | None = None
        self.reset(0)
        self._announced = self.packed()

    def subscribe(self, listener: Listener) -> None:
        """Have `listener` called after every change, whoever made it."""
        self._listeners.append(listener)

    @property
    def metadata(self) -> Metadata:
        """Who may write the object, and when it is sent."""
        return self._metadata

    @metadata.setter
    def metadata(self, metadata: Metadata) -> None:
        self._metadata = metadata
        self.is_supplied = metadata.flight_readonly

    def packed(self) -> bytes:
        """Instance 0 as it stands, in a fifth of the time that `row` takes."""
        data: bytes = self._first.tobytes()
        return data

    def values(self, instance: int = 0) -> tuple[float, ...]:
        """All fields of an instance, none of them an array, in half the time that `row` takes."""
        numbers: Any = self.rows.item(instance)
        return tuple(numbers)

    def vector(self) -> tuple[float, float, float]:
        """The same of an object of three numbers: north, east and down."""
        north, east, down = self.rows.item(0)
        return north, east, down

    def newest(self) -> Members:
        """The same, brought up to date by the module that owns the object."""
        self._refresh_own()
        return self.fields

    def set(self, **fields: Any) -> None:
        """Write whole fields as wire numbers and announce the object if that changed it.

        Nothing is written while a station supplies the object.
        """
        if not self.is_supplied:
            self.write(**fields)
            self.announce()

    def write(self, **fields: Any) -> None:
        """Write whole fields as wire numbers, telling nobody: for `refresh`."""
        own = self.fields  # which takes a fifth of the time that `row` does
        for name, value in fields.items():
            own[name][...] = value

    def fill(self, *values: Any) -> None:
        """Write all fields of instance 0 in the order of the definition, telling nobody: eight
        times as fast as field by field."""
        self.rows[0] = values

    def floats(self) -> npt.NDArray[np.float32]:
        """All numbers of an object of floats and arrays of them, in a row, to write into."""
        return self._first.view(np.float32)

    def announce(self, force: bool = False) -> None:
        """Tell subscribers and telemetry that instance 0 was written, if it differs."""
        payload = self.packed()
        if payload == self._announced and not force:
            return
        self._announced = payload
        if self.on_announce is not None:
            self.on_announce(self, 0)
        self.notify()

    def touch(self) -> None:
        """Tell that `refresh` would now fetch newer values, unless a station supplies them."""
        if self.is_supplied:
            return
        if self.on_announce is not None:
            self.on_announce(self, 0)
        if self._listeners:
            self.notify()

    def tell_telemetry(self) -> None:
        """Say that it was written, equal or not, to telemetry alone: for what every loop writes."""
        if self.on_announce is not None and not self.is_supplied:
            self.on_announce(self, 0)

    def notify(self) -> None:
        """Call the subscribers."""
        for listener in self._listeners:
            listener()

    def option(self, field: str, element: int | None = None) -> str:
        """The option text of an enum field (or of one element of it)."""
        definition = self.definition.field_named(field)
        value = self.fields[field] if element is None else self.fields[field][element]
        return definition.option_text(int(value))

    def number(self, field: str, option: str) -> int:
        """The wire number of an option."""
        return self.definition.field_named(field).option_number(option)

    def payload(self, instance: int) -> bytes:
        """The packed bytes of one instance, brought up to date."""
        self._refresh_own()
        if instance == 0:
            return self.packed()
        data: bytes = self.rows[instance : instance + 1].tobytes()
        return data

    def frame(self, dialect: Dialect) -> bytes:
        """Instance 0, up to date, as a frame that nobody has to acknowledge."""
        definition = self.definition
        return dialect.encode(
            FrameType.OBJ, definition.object_id, 0, definition.single_instance, self.payload(0)
        )

    def _refresh_own(self) -> None:
        if self.refresh is not None and not self.is_supplied:
            self.refresh()

    def load(self, instance: int, payload: bytes) -> None:
        """Take over packed bytes; the caller has made sure that the instance exists."""
        if instance == 0:
            self._announced = payload
            if payload == self.packed():  # sticks say the same again and again
                return
        self.rows[instance] = np.frombuffer(payload, self.definition.dtype)[0]

    def grow(self, count: int) -> None:
        """Have at least `count` instances; new ones are all zero, as on real firmware."""
        missing = count - len(self.rows)
        if missing > 0:
            self._take_rows(np.concatenate([self.rows, np.zeros(missing, self.definition.dtype)]))

    def _take_rows(self, rows: "np.ndarray[Any, np.dtype[np.void]]") -> None:
        self.rows = rows
        self.row: np.void = rows[0]
        self._first = rows[:1]
        names = self.definition.dtype.names or ()
        self.fields: Members = {name: rows[name][0, ...] for name in names}

    def reset(self, instance: int) -> None:
        """Return one instance to the definition's defaults."""
        self.rows[instance] = self._factory


class ChangeFlag:
    """Raised by every change of some objects, whoever made it."""

    def __init__(self, *entries: BoardObject, is_raised: bool = True) -> None:
        self._is_raised = is_raised
        for entry in entries:
            entry.subscribe(self.raise_it)

    def raise_it(self) -> None:
        """Raise it for another reason."""
        self._is_raised = True

    def take_down(self) -> bool:
        """Whether it was raised since it was taken down last."""
        was_raised, self._is_raised = self._is_raised, False
        return was_raised


class SimulatedBoard:
    """All objects of one firmware, by name and by id, with their metaobjects.

    A board comes set up: to the defaults of the definitions the preset has been added as if
    somebody had saved it. `set_up` holds what that was, by id (also of metaobjects) and instance.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        preset: Preset,
        release: str = DEFAULT_RELEASE,
        *,
        tells_truth: bool = True,
    ) -> None:
        """Create the objects of `release` with the values of `preset`, and those of the truth.

        Raises ValueError naming object and field for a value that does not fit.
        """
        self._by_id: dict[int, BoardObject] = {}
        self._by_name: dict[str, BoardObject] = {}
        self._on_metadata: list[Callable[[BoardObject], None]] = []
        self.set_up: dict[tuple[int, int], bytes] = {}
        absent = ABSENT_OBJECTS if tells_truth else ABSENT_OBJECTS | TRUTH_OBJECTS
        for definition in catalogue.release(release):
            if definition.name in absent:
                continue
            entry = BoardObject(definition, *_as_made(definition))
            self._by_id[definition.object_id] = entry
            self._by_name[definition.name] = entry
            self._set_up(entry, preset)
        unknown = sorted({*preset.objects, *preset.telemetry_period_ms} - set(self._by_name))
        if unknown:
            raise ValueError(
                f"The airframe '{preset.name}' names what this board does not have: "
                f"{', '.join(unknown)}; correct its file."
            )

    def _set_up(self, entry: BoardObject, preset: Preset) -> None:
        definition = entry.definition
        if definition.name in preset.objects:
            payload = _preset_values(definition, preset)
            entry.load(0, payload)
            self.set_up[definition.object_id, 0] = payload
        period_ms = preset.telemetry_period_ms.get(definition.name)
        if period_ms is not None:
            flight = replace(entry.metadata.flight, period_ms=period_ms)
            entry.metadata = replace(entry.metadata, flight=flight)
            self.set_up[definition.object_id + 1, 0] = entry.metadata.pack(METADATA_BYTES)

    def __getitem__(self, name: str) -> BoardObject:
        return self._by_name[name]

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def objects(self) -> tuple[BoardObject, ...]:
        """All objects, in the order of the release."""
        return tuple(self._by_id.values())

    def find(self, object_id: int) -> BoardObject | None:
        """The object with this id; a metaobject's id finds nothing here."""
        return self._by_id.get(object_id)

    # What a flight session asks for -----------------------------------------------------

    def definition(self, object_id: int) -> ObjectDefinition | None:
        """The definition of a data or settings object of this firmware."""
        entry = self._by_id.get(object_id)
        return entry.definition if entry else None

    def instance_count(self, object_id: int) -> int:
        """How many instances exist; 1 for a metaobject, 0 for an unknown id."""
        entry = self._by_id.get(object_id)
        if entry is not None:
            return len(entry.rows)
        return 1 if self._owner_of_metaobject(object_id) else 0

    def read(self, object_id: int, instance: int) -> bytes | None:
        """The packed bytes of an object's or metaobject's instance, None if there is none."""
        entry = self._by_id.get(object_id)
        if entry is not None:
            return entry.payload(instance) if instance < len(entry.rows) else None
        owner = self._owner_of_metaobject(object_id)
        if owner is not None and instance == 0:
            return owner.metadata.pack(METADATA_BYTES)
        return None

    def write(self, object_id: int, instance: int, payload: bytes) -> bool:
        """Take over what a station sent. Multi-instance objects grow up to that instance."""
        entry = self._by_id.get(object_id)
        if entry is None:
            return self._write_metadata(object_id, instance, payload)
        if len(payload) != entry.definition.size or instance >= MAX_INSTANCES:
            return False
        if entry.definition.single_instance and instance != 0:
            return False
        if instance:
            entry.grow(instance + 1)
        entry.load(instance, payload)
        entry.notify()
        return True

    def set_metadata(self, entry: BoardObject, metadata: Metadata) -> None:
        """Change how an object is sent; takes effect at once."""
        entry.metadata = metadata
        for listener in self._on_metadata:
            listener(entry)

    def subscribe_metadata(self, listener: Callable[[BoardObject], None]) -> None:
        """Have `listener` called after every change of an object's metadata."""
        self._on_metadata.append(listener)

    def _owner_of_metaobject(self, object_id: int) -> BoardObject | None:
        return self._by_id.get(object_id - 1) if object_id & 1 else None

    def _write_metadata(self, object_id: int, instance: int, payload: bytes) -> bool:
        owner = self._owner_of_metaobject(object_id)
        if owner is None or instance != 0 or len(payload) != METADATA_BYTES:
            return False
        self.set_metadata(owner, Metadata.unpack(payload))
        return True


def _preset_values(definition: ObjectDefinition, preset: Preset) -> bytes:
    try:
        return pack_values(definition, preset.objects[definition.name])
    except ValueError as error:
        raise ValueError(
            f"The airframe '{preset.name}' sets what cannot be set: {error}; correct its file."
        ) from None


@cache
def _as_made(definition: ObjectDefinition) -> tuple[np.void, Metadata]:
    """The row and the metadata that an object begins with, neither to be written to."""
    return row_of(definition, pack_values(definition, {})), _factory_metadata(definition)


def _factory_metadata(definition: ObjectDefinition) -> Metadata:
    metadata = Metadata.of(definition)
    if definition.name == "GroundTruth":  # here the board itself knows it, and tells it
        metadata = replace(metadata, flight_readonly=False, flight=_TRUTH_POLICY)
    return metadata
