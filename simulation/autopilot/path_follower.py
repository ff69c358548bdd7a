"""PathFollower: the modes that fly by themselves.

A mode's plan, or the path planner in PathPlanner, writes PathDesired; the guidance of the airframe
flies what it says, whoever wrote it. PathPlanner holds position if there is no plan that can be
flown. As pathfollower.cpp, pathfollowerhandler.c and pathplanner.c of LibrePilot have it.
"""

from dataclasses import dataclass
from typing import Final

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.desired_paths import Plans
from simulation.autopilot.fixed_wing_guidance import FixedWingGuidance
from simulation.autopilot.path_planner import PathPlanner
from simulation.autopilot.vtol_guidance import VtolGuidance

_DONE: Final = 0.95
_NEAR_M: Final = 2.0
_LANDS: Final = 1
"""FlightModeSettings.ReturnToBaseNextCommand Land, in the first of PathDesired.ModeParameters."""


@dataclass(frozen=True, slots=True)
class PathAlarms:
    """Severities of the alarms that tell what automatic flight cannot do."""

    path_plan: str = "OK"
    guidance: str = "OK"


class PathFollower:
    """Runs the automatic modes, one loop at a time."""

    def __init__(self, board: SimulatedBoard, guidance: FixedWingGuidance | VtolGuidance) -> None:
        self._guidance = guidance
        self._path = board["PathDesired"]
        self._plans = Plans(board)
        self._planner = PathPlanner(board)
        self._mode = ""
        self._has_no_plan = False
        self.alarms = PathAlarms()

    def leave(self) -> None:
        """The pilot flies by hand; the next automatic mode starts afresh."""
        if not self._mode:
            return
        self._mode = ""
        self._guidance.leave()
        self.alarms = PathAlarms()

    def update(self, now_us: int, mode: str, armed: bool) -> None:
        """Run once per loop while an automatic mode is chosen."""
        is_new = mode != self._mode
        self._mode = mode
        path_plan = "OK"
        if mode == "PathPlanner":
            path_plan = "OK" if self._plan(now_us, is_new, armed) else "Critical"
        else:
            if is_new:
                self._plans.enter(mode)
            self._plans.run()
        self._guidance.update(now_us)
        if mode == "ReturnToBase":
            self._end_return()
        said = (path_plan, self._guidance.alarm)
        if said != (self.alarms.path_plan, self.alarms.guidance):
            self.alarms = PathAlarms(*said)

    def _plan(self, now_us: int, is_new: bool, armed: bool) -> bool:
        """Whether there is a plan that can be flown. It begins as soon as the aircraft is armed, on
        the ground, too, and whatever the throttle says; one that cannot be flown is Critical before
        that, which forbids arming (pathPlannerTask)."""
        if is_new:
            self._planner.leave()
        is_whole = self._planner.problem is None
        if is_whole and armed:
            self._planner.update(now_us)
        elif not is_whole:
            self._planner.leave()
            if not self._has_no_plan:
                self._plans.hold()
        self._has_no_plan = not is_whole
        return is_whole

    def _end_return(self) -> None:
        """Land where the return has ended, if it is to (UpdateAutoPilot of vtolflycontroller.cpp):
        by ModeParameters, as they were when it began."""
        follows = int(self._path.fields["ModeParameters"][0])
        is_returning = self._path.option("Mode") == "GoToEndpoint"
        if follows != _LANDS or not self._guidance.can_land_at_base or not is_returning:
            return
        progress = self._guidance.progress
        north, east, _ = progress.correction
        if progress.fraction > _DONE and max(abs(north), abs(east)) < _NEAR_M:
            self._plans.land()
