"""Aircraft equipment: what it has beside its settings, as far as flight modes depend on it."""

from typing import Protocol

from telemetry.configuration.flight_modes.check import Equipment
from telemetry.protocol.objects.metadata import Metadata
from telemetry.recording.sample import Sample

_COPTER_CONTROL = 0x04
"""The type of boards that have neither barometer nor magnetometer."""
_BAROMETERS = ("BaroSensor", "BaroAltitude")


class Reads(Protocol):
    """Where values come from."""

    @property
    def board(self) -> int:
        """Type and revision of the board, 0 while unknown."""

    def sample(self, name: str, instance: int = 0) -> Sample | None:
        """What counts of an object now."""


def equipment_of(aircraft: Reads) -> Equipment:
    """What is known; nothing is concluded from what has not arrived yet."""
    return Equipment(
        _has_barometer(aircraft),
        _waypoints(aircraft),
        _is_position_supplied(aircraft),
        _is_copter_control(aircraft),
        aircraft.board,
    )


def _is_copter_control(aircraft: Reads) -> bool:
    return aircraft.board >> 8 == _COPTER_CONTROL


def _has_barometer(aircraft: Reads) -> bool | None:
    if _is_copter_control(aircraft):
        return False
    return True if any(aircraft.sample(name) for name in _BAROMETERS) else None


def _waypoints(aircraft: Reads) -> int | None:
    plan = aircraft.sample("PathPlan")
    if plan is None or not plan.definition.has_field("WaypointCount"):
        return None
    return int(plan["WaypointCount"])


def _is_position_supplied(aircraft: Reads) -> bool:
    """Whether the flight side may not write PositionState, so that a station does."""
    meta = aircraft.sample("PositionStateMeta")
    return meta is not None and Metadata.unpack(meta.row.tobytes()).flight_readonly
