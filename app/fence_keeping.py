"""The fences of the plan, watched whatever is shown."""

from collections.abc import Callable
from typing import Final

from telemetry.missions.draft import mission_draft_of
from telemetry.missions.fence_watch import FenceWatch
from telemetry.missions.fences import FenceAction
from telemetry.vehicle.vehicle import Fleet, Vehicle

RATE_HZ: Final = 5
_ACTIONS: Final = {
    FenceAction.HOLD: "pilot.hold",
    FenceAction.RETURN: "pilot.return_home",
    FenceAction.LAND: "pilot.land",
}


class FenceKeeping:
    """Warns of every aircraft that flies, and has the active one do what a crossed fence asks for,
    by the pilot's action of that name, which says itself where it cannot."""

    def __init__(self, fleet: Fleet, run_action: Callable[[str], None]) -> None:
        self._fleet = fleet
        self._run_action = run_action
        self._watches: dict[Vehicle, FenceWatch] = {}

    def poll(self) -> None:
        """Call it some times a second."""
        fences = mission_draft_of(self._fleet).mission.fences
        vehicles = self._fleet.vehicles
        self._watches = {v: self._watches.get(v) or FenceWatch(v) for v in vehicles}
        for vehicle, watch in self._watches.items():
            action = watch.poll(fences)
            if action is not None and vehicle is self._fleet.active:
                self._run_action(_ACTIONS[action])
