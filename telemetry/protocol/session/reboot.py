"""Reboot detection: SystemStats.FlightTime falls back."""

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import row_of

_FALL_MS = 1000  # frames overtaking each other on a network make it step back a little


class RebootWatch:
    """Remembers the time since the aircraft started."""

    def __init__(self) -> None:
        self._flight_time_ms = 0

    def has_rebooted(self, definition: ObjectDefinition, payload: bytes) -> bool:
        """Take a SystemStats object; return whether the aircraft has started anew before it."""
        if not definition.has_field("FlightTime"):
            return False
        flight_time_ms = int(row_of(definition, payload)["FlightTime"])
        fell = self._flight_time_ms - flight_time_ms > _FALL_MS
        self._flight_time_ms = flight_time_ms
        return fell
