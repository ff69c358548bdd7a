"""The fences of the plan, watched whatever is shown."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from plugins.api import resolve
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.geofence_watch import FenceWatch
from telemetry.vehicle.vehicle import Fleet, Vehicle

if TYPE_CHECKING:
    from plugins.pilot.fence_orders import FenceOrders

RATE_HZ: Final = 5
_ORDERS: Final = "plugins.pilot.fence_orders:FenceOrders"


class FenceMonitor:
    """Warns of every aircraft that flies, and has the active one, and what else is flown from here,
    do what a crossed fence asks for, by its seat: nothing has to be in sight. `tell` is told what
    is done, or why it is not.
    """

    def __init__(self, fleet: Fleet, tell: Callable[[str], None]) -> None:
        self._fleet = fleet
        self._tell = tell
        self._watches: dict[Vehicle, FenceWatch] = {}
        self._made: FenceOrders | None = None

    def poll(self) -> None:
        """Call it some times a second."""
        fences = mission_draft_of(self._fleet).mission.fences
        vehicles = self._fleet.vehicles
        self._watches = {v: self._watches.get(v) or FenceWatch(v) for v in vehicles}
        for vehicle, watch in self._watches.items():
            action = watch.poll(fences)
            if action is not None and self._is_ours(vehicle):
                self._orders.ask(vehicle, action)
            elif self._made is not None and not watch.is_broken:
                self._made.forget(vehicle)
        if self._made is not None:
            for text in self._made.poll(vehicles):
                self._tell(text)

    def close(self) -> None:
        """Ask for nothing more."""
        if self._made is not None:
            self._made.close()

    @property
    def _orders(self) -> "FenceOrders":
        """Made when a fence first asks for something."""
        if self._made is None:
            self._made = resolve(_ORDERS)()
        return self._made

    def _is_ours(self, vehicle: Vehicle) -> bool:
        return vehicle is self._fleet.active or self._orders.flies(vehicle)
