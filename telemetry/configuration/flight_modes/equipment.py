"""Aircraft equipment: what it has beside its settings, as far as flight modes depend on it."""

from telemetry.configuration.flight_modes.check import Equipment
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.protocol.objects.metadata import Metadata

_COPTER_CONTROL = 0x04
"""The type of boards that have neither barometer nor magnetometer."""
_BAROMETERS = ("BaroSensor", "BaroAltitude")


def equipment_of(aircraft: Aircraft) -> Equipment:
    """What is known; nothing is concluded from what has not arrived yet."""
    return Equipment(
        _has_barometer(aircraft),
        _waypoints(aircraft),
        _is_position_supplied(aircraft),
        _is_copter_control(aircraft),
        aircraft.board,
    )


def _is_copter_control(aircraft: Aircraft) -> bool:
    return aircraft.board >> 8 == _COPTER_CONTROL


def _has_barometer(aircraft: Aircraft) -> bool | None:
    if _is_copter_control(aircraft):
        return False
    return True if any(aircraft.sample(name) for name in _BAROMETERS) else None


def _waypoints(aircraft: Aircraft) -> int | None:
    plan = aircraft.sample("PathPlan")
    if plan is None or not plan.definition.has_field("WaypointCount"):
        return None
    return int(plan["WaypointCount"])


def _is_position_supplied(aircraft: Aircraft) -> bool:
    """Whether the flight side may not write PositionState, so that a station does."""
    meta = aircraft.sample("PositionStateMeta")
    return meta is not None and Metadata.unpack(meta.row.tobytes()).flight_readonly
