"""Controls joined by one user: a panel, a group, the fences."""

from collections.abc import Collection, Iterator

from telemetry.flying.controls import FlightControls, controls_of
from telemetry.vehicle.vehicle import Vehicle


class JoinedControls:
    """The aircraft whose controls this user has joined, until it leaves them."""

    def __init__(self) -> None:
        self._joined: dict[Vehicle, FlightControls] = {}

    def __iter__(self) -> Iterator[tuple[Vehicle, FlightControls]]:
        return iter(tuple(self._joined.items()))

    def __contains__(self, vehicle: Vehicle) -> bool:
        return vehicle in self._joined

    def join(self, vehicle: Vehicle) -> FlightControls:
        """The controls of an aircraft, joined from now on."""
        if vehicle not in self._joined:
            self._joined[vehicle] = controls_of(vehicle)
            self._joined[vehicle].join()
        return self._joined[vehicle]

    def of(self, vehicle: Vehicle | None) -> FlightControls | None:
        """The controls of an aircraft, if they are joined."""
        return None if vehicle is None else self._joined.get(vehicle)

    @property
    def are_in_use(self) -> bool:
        """Whether any of them transmits."""
        return any(controls.is_in_use for controls in self._joined.values())

    def leave(self, vehicle: Vehicle) -> None:
        """Leave those of one aircraft."""
        self._joined.pop(vehicle).leave()

    def leave_gone(self, present: Collection[Vehicle]) -> None:
        """Leave those of aircraft that are there no more."""
        for gone in [vehicle for vehicle in self._joined if vehicle not in present]:
            self.leave(gone)

    def leave_all(self) -> None:
        """Leave all: what nobody else flies is left to its failsafe."""
        while self._joined:
            self._joined.popitem()[1].leave()
