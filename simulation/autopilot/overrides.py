"""Overrides: sensors, states and outputs that a station supplies in place of the board's own.

A station takes an object over by setting it read-only for the flight side and then writes it
(hardware in the loop). Each object is taken over by itself, and handed back by restoring its
metadata. Until the first write the last own value stands, as in an object nobody writes.
"""

import math
from functools import partial

import numpy as np

from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.mathematics.rotation import set_euler
from simulation.records.interface import (
    OVERRIDE_ATTITUDE,
    OVERRIDE_POSITION,
    OVERRIDE_RATES,
    OVERRIDE_VELOCITY,
)
from simulation.records.members import Members
from simulation.records.sensor_table import AIRSPEED, SENSORS, ObjectMapping

_NED = ("North", "East", "Down")
_QUATERNION = ("q1", "q2", "q3", "q4")
_OBJECTS: tuple[tuple[int, ObjectMapping], ...] = (
    *(
        (number, sensor.object)
        for number, sensor in enumerate(SENSORS)
        if sensor.object is not None and sensor.object.is_supplied
    ),
    (
        OVERRIDE_ATTITUDE,
        ObjectMapping(("AttitudeState",), "imu_count", {"quaternion": _QUATERNION}),
    ),
    (OVERRIDE_RATES, ObjectMapping(("GyroState",), "imu_count", {"rates": ("x", "y", "z")})),
    (OVERRIDE_POSITION, ObjectMapping(("PositionState",), "imu_count", {"position": _NED})),
    (OVERRIDE_VELOCITY, ObjectMapping(("VelocityState",), "imu_count", {"velocity": _NED})),
)
"""Rows of OVERRIDE and the objects that fill them."""


class Overrides:
    """Hands values of objects that a station supplies to the compiled loop."""

    def __init__(self, board: SimulatedBoard, command: np.void, output: Members) -> None:
        self._record = command["override"]
        self._output = output
        self._entries = [board[mapping.names[0]] for _, mapping in _OBJECTS]
        self._places = [
            _places(entry, mapping)
            for entry, (_, mapping) in zip(self._entries, _OBJECTS, strict=True)
        ]
        self._was_supplied = [False] * len(_OBJECTS)
        self._is_new = True
        board.subscribe_metadata(self._metadata_changed)
        for i, entry in enumerate(self._entries):
            entry.subscribe(partial(self._written, i))

    def update(self) -> None:
        """Run once per loop: take objects over and give them back as their metadata says."""
        if not self._is_new:
            return
        self._is_new = False
        supplied = [entry.is_supplied for entry in self._entries]
        for i, (is_supplied, was_supplied) in enumerate(
            zip(supplied, self._was_supplied, strict=True)
        ):
            if is_supplied and not was_supplied:
                self._freeze(i)
            self._record["replaced"][_OBJECTS[i][0]] = int(is_supplied)
        self._was_supplied = supplied
        self._record["any"] = int(any(supplied))

    def _metadata_changed(self, _entry: BoardObject) -> None:
        self._is_new = True

    def _freeze(self, i: int) -> None:
        """Begin with the board's own newest value."""
        number, mapping = _OBJECTS[i]
        values = np.concatenate([np.atleast_1d(self._output[member]) for member in mapping.fields])
        self._record["value"][number, : len(values)] = values
        self._record["count"][number] = self._output[mapping.counter]

    def _written(self, i: int) -> None:
        entry = self._entries[i]
        if not entry.is_supplied:
            return
        self.update()  # metadata and value may have come in the same loop
        number, _ = _OBJECTS[i]
        own = entry.values()
        values = [float(own[place]) * scale for place, scale in self._places[i]]
        if number == OVERRIDE_ATTITUDE:
            values = _attitude(entry, values)
        elif number == AIRSPEED:
            values = _airspeed(entry, values)
        if all(map(math.isfinite, values)):
            self._record["value"][number, : len(values)] = values
            self._record["count"][number] += 1


def _places(entry: BoardObject, mapping: ObjectMapping) -> list[tuple[int, float]]:
    """Where each value stands in the object, and what of our unit its unit is."""
    names = entry.definition.dtype.names or ()
    return [
        (names.index(name), 1.0 / mapping.per_unit.get(name, 1.0))
        for fields in mapping.fields.values()
        for name in fields
    ]


class SuppliedOutputs:
    """Hands ActuatorCommand to the compiled loop while a station supplies it, as in a motor test.

    As in firmware the outputs then do exactly what the object says, armed or not, whatever the
    mixer makes; the last command stays until another one comes or the metadata give control back.
    Nobody on board stops a motor because the station has gone: keeping people safe is the
    station's duty.
    """

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._entry = board["ActuatorCommand"]
        self._command = command
        self._was_supplied = False
        self._entry.subscribe(self._written)

    def update(self) -> None:
        """Run once per loop: take the outputs over, and give them back, as the metadata say."""
        is_supplied = self._entry.is_supplied
        if is_supplied == self._was_supplied:
            return
        if is_supplied and self._entry.refresh is not None:
            self._entry.refresh()  # the board's own last command stands until the first write
        self._take(is_supplied)

    def _written(self) -> None:
        if self._entry.is_supplied:
            self._take(is_supplied=True)

    def _take(self, is_supplied: bool) -> None:
        self._was_supplied = is_supplied
        self._command["outputs"] = self._entry.row["Channel"]
        self._command["outputs_supplied"] = int(is_supplied)


def _airspeed(entry: BoardObject, pressure: list[float]) -> list[float]:
    """The differential pressure in Pa; what CalibratedAirspeed means where a station wrote none."""
    speed = float(entry.row["CalibratedAirspeed"])
    return pressure if pressure != [0.0] else [0.5 * SEA_LEVEL_DENSITY * speed * speed]


def _attitude(entry: BoardObject, quaternion: list[float]) -> list[float]:
    """The quaternion at length one; that of roll, pitch and yaw where a station wrote none."""
    length = math.sqrt(sum(q * q for q in quaternion))
    if length == 0.0:
        set_euler(quaternion, *(math.radians(entry.row[name]) for name in ("Roll", "Pitch", "Yaw")))
        return quaternion
    return [q / length for q in quaternion]
