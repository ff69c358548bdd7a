"""Served board: the objects of an aircraft that a FLIGHT session serves."""

from typing import Protocol

from telemetry.protocol.objects.definition import ObjectDefinition


class Board(Protocol):
    """The objects of an aircraft. Metaobjects are read and written under their own ids.

    FlightTelemetryStats is answered by the session itself and never asked of the board.
    """

    def definition(self, object_id: int) -> ObjectDefinition | None:
        """The data or settings object with this id, if this firmware has it."""

    def instance_count(self, object_id: int) -> int:
        """How many instances exist now."""

    def read(self, object_id: int, instance: int) -> bytes | None:
        """The packed values, or None if there is no such instance."""

    def write(self, object_id: int, instance: int, payload: bytes) -> bool:
        """Take over values from the station; missing instances below come into being.

        Returns False to refuse. The session has checked id, length and instance number.
        """
