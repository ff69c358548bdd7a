"""Fence keeping: the fences of the plan, watched whatever is shown."""

from collections.abc import Callable
from typing import Final

from telemetry.flying.orders.fences import FenceOrders
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.geofence_watch import FenceWatch
from telemetry.vehicle.vehicle import Fleet, Vehicle

RATE_HZ: Final = 5


class FenceMonitor:
    """Warns of every aircraft that flies, and has the active one, and what else is flown from here,
    do what a crossed fence asks for, by its controls: nothing has to be in sight. `tell` is told
    what is done, or why it is not.
    """

    def __init__(self, fleet: Fleet, tell: Callable[[str], None]) -> None:
        self._fleet = fleet
        self._tell = tell
        self._watches: dict[Vehicle, FenceWatch] = {}
        self._orders = FenceOrders()

    def poll(self) -> None:
        """Call it some times a second."""
        fences = mission_draft_of(self._fleet).mission.fences
        vehicles = self._fleet.vehicles
        self._watches = {v: self._watches.get(v) or FenceWatch(v) for v in vehicles}
        for vehicle, watch in self._watches.items():
            action = watch.poll(fences)
            if action is not None and self._is_ours(vehicle):
                self._orders.ask(vehicle, action)
            elif not watch.is_broken:
                self._orders.forget(vehicle)
        for text in self._orders.poll(vehicles):
            self._tell(text)

    def close(self) -> None:
        """Ask for nothing more."""
        self._orders.close()

    def _is_ours(self, vehicle: Vehicle) -> bool:
        return vehicle is self._fleet.active or self._orders.flies(vehicle)
