"""Aircraft equipment: what it has beside its settings, as far as flight modes depend on it."""

from telemetry.configuration.flight_modes.check import Equipment
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.protocol.objects.metadata import Metadata

_COPTER_CONTROL = 0x04
"""The type of boards that have neither barometer nor magnetometer."""
_BAROMETERS = ("BaroSensor", "BaroAltitude")


def equipment_of(aircraft: Aircraft) -> Equipment:
    """What is known; nothing is concluded from what has not arrived yet. Where the flight side may
    not write PositionState, a station does."""
    is_copter_control = aircraft.board >> 8 == _COPTER_CONTROL
    has_barometer = True if any(aircraft.sample(name) for name in _BAROMETERS) else None
    waypoints = aircraft.value("PathPlan", "WaypointCount")
    meta = aircraft.sample("PositionStateMeta")
    return Equipment(
        False if is_copter_control else has_barometer,
        int(waypoints) if waypoints is not None else None,
        meta is not None and Metadata.unpack(meta.row.tobytes()).flight_readonly,
        is_copter_control,
        aircraft.board,
    )
