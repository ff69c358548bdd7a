"""Guided outcome: what has come of a guided action, said while the aircraft still does that."""

from collections.abc import Hashable
from typing import Final

from telemetry.base.statement import Statement
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import Vehicle

_SEEN_S: Final = 1.0
"""Who looked away for longer has not seen how the aircraft was when it was told."""
_ENDS: Final = "it flies in another mode or to another place, or its link is lost"


class GuidedOutcome:
    """Of one aircraft: the sentence told last, with the state of which it was told."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._told = ""
        self._looked_s = -float("inf")
        self._kept: Statement | None = None

    def statement(self, told: str, flight: FlightState) -> Statement | None:
        """What was `told`, if that is about what the aircraft does now: its mode, whether it is
        armed, where it is on its way to, and its link are the same as they were then."""
        vehicle, version = self._vehicle, self._version(flight)
        is_watched = vehicle.end_s - self._looked_s <= _SEEN_S
        self._looked_s = vehicle.end_s
        if told != self._told:
            self._told = told
            kept = Statement(told, vehicle.name, version, vehicle.end_s, _ENDS)
            self._kept = kept if told and is_watched else None
        return self._kept and self._kept.if_of(vehicle.name, version)

    def _version(self, flight: FlightState) -> Hashable:
        vehicle = self._vehicle
        path, active = (
            vehicle.recording.latest(name, vehicle.end_s)
            for name in ("PathDesired", "WaypointActive")
        )
        return (
            flight.flight_mode,
            flight.armed,
            vehicle.link_losses,
            path.row.tobytes() if path is not None else b"",
            active.row.tobytes() if active is not None else b"",
        )


def guided_outcome_of(vehicle: Vehicle) -> GuidedOutcome:
    """That of an aircraft, the same for all panels."""
    return vehicle.attachment("pilot.guided_outcome", lambda: GuidedOutcome(vehicle))
