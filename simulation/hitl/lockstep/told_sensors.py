"""Told sensors: which of them a station is to hear now, of a board that does not send what it is
supplied with (see `take_over`). Without them it would call GPS silent that the board flies by.
"""

from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode

_BY_TIME = (UpdateMode.PERIODIC, UpdateMode.THROTTLED)


class ToldSensors:
    """Each as often as the board would send it by the telemetry of its definition."""

    def __init__(self) -> None:
        self._next_us: dict[int, int] = {}

    def is_due(self, definition: ObjectDefinition, now_us: int) -> bool:
        """Whether this sample is to be told; asked once of each."""
        policy = definition.flight_policy
        due_us = self._next_us.get(definition.object_id, now_us)
        if policy.mode not in _BY_TIME or now_us < due_us:
            return False
        self._next_us[definition.object_id] = now_us + policy.period_ms * 1000
        return True
