"""PathPlanner: flies the plan of PathPlan, Waypoint and PathAction, one waypoint after another.

Writes PathDesired and WaypointActive. Whoever follows paths reads PathDesired and reports how far
it has come in PathStatus, which the planner reads in its turn. Waypoints, end conditions and
commands mean what they mean to the firmware; plans wrap around at their end. A plan that cannot
be flown is never flown in part: `update` says so and the caller holds position.
"""

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.end_conditions import CONDITIONS, ConditionInputs, TimeOutClock
from simulation.autopilot.fixed_wing_guidance import is_fixed_wing
from simulation.autopilot.flight_plan import FlightPlan, PathAction, Waypoint
from simulation.autopilot.path_geometry import Vector, vector_of

_LOWEST_M, _HIGHEST_M = 2.0, 50.0  # vtolautotakeoffcontroller.cpp


class PathPlanner:
    """Chooses the leg to fly; call `update` once per loop while the mode is PathPlanner."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._plan = FlightPlan(board)
        self._settings = board["FlightModeSettings"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._airspeed = board["AirspeedState"]
        self._active = board["WaypointActive"]
        self._path = board["PathDesired"]
        self._status = board["PathStatus"]
        self._waypoints = board["Waypoint"]
        self._clock = TimeOutClock()
        self._index: int | None = None
        self._flown: tuple[Waypoint, ...] = ()
        self._asked: int | None = None
        self._is_own_write = False
        self._is_fixed_wing = is_fixed_wing(board)
        self._active.subscribe(self._waypoint_chosen)

    @property
    def problem(self) -> str | None:
        """Why the plan on board cannot be flown, as a sentence; None if it can."""
        return self._plan.problem

    def enter(self) -> None:
        """The mode was chosen, or the plan is whole again: start anew, or at WaypointActive, by
        FlightModeChangeRestartsPathPlan."""
        restarts = self._settings.option("FlightModeChangeRestartsPathPlan") == "True"
        self._asked = 0 if restarts else int(self._active.fields["Index"])

    def update(self, now_us: int) -> bool:
        """Choose the leg and write it; False if there is no plan that can be flown."""
        waypoints = self._plan.waypoints
        if not waypoints:
            self._index = None
            return False
        if self._index is None and self._asked is None:
            self.enter()
        elif waypoints is not self._flown and self._asked is None:
            self._asked = self._index  # changed and whole: the leg is written anew
        self._flown = waypoints
        if self._asked is not None:
            self._fly_to(self._asked)
        elif self._index is not None:
            next_index = self._after(self._index, now_us)
            if next_index is not None:
                self._fly_to(next_index)
        return True

    # Choosing ---------------------------------------------------------------------------

    def _after(self, index: int, now_us: int) -> int | None:
        """The waypoint to fly to now, if it is another one (or the same once more)."""
        action = self._flown[index].action
        if self._has_failed() and index != action.error and action.error >= 0:
            return action.error
        met = CONDITIONS[action.condition](self._situation(index, now_us), _of(action))
        if met and action.condition == "TimeOut":
            self._clock.expire()
        jump = index - action.jump if action.jump < 0 else action.jump
        if action.command == "IfConditionJumpWaypointElseNextWaypoint":
            return jump if met else index + 1
        if met == action.command.startswith("OnNotCondition"):
            return None
        return jump if action.command.endswith("JumpWaypoint") else index + 1

    def _has_failed(self) -> bool:
        """The follower says that it cannot fly this leg."""
        status = self._status.newest()
        same = int(status["UID"]) == int(self._path.fields["UID"])
        return same and int(status["Status"]) == self._status.number("Status", "Critical")

    def _situation(self, index: int, now_us: int) -> ConditionInputs:
        status = self._status.newest()
        target = self._flown[index].position
        following = self._waypoints.rows[(index + 1) % len(self._waypoints.rows)]
        north, east, down = (
            b - a for a, b in zip(target, vector_of(following["Position"]), strict=True)
        )
        timed = self._flown[index].action.condition == "TimeOut"
        return ConditionInputs(
            elapsed_s=self._clock.read_s(index, now_us) if timed else 0.0,
            position=self._here(),
            velocity=self._velocity.vector(),
            airspeed_mps=self._airspeed_mps(),
            target=target,
            next_leg=(north, east, down),
            fraction=float(status["fractional_progress"]),
            error_m=float(status["error"]),
        )

    def _airspeed_mps(self) -> float:
        return float(self._airspeed.newest()["CalibratedAirspeed"])

    def _here(self) -> Vector:
        return self._position.vector()

    def _waypoint_chosen(self) -> None:
        """A station wrote WaypointActive: jump there."""
        if not self._is_own_write:
            self._asked = int(self._active.fields["Index"])

    # Flying -----------------------------------------------------------------------------

    def _fly_to(self, index: int) -> None:
        self._asked = None
        self._index = index if 0 <= index < len(self._flown) else 0
        self._is_own_write = True
        self._active.set(Index=self._index)
        self._is_own_write = False
        self._write_path(self._index, self._flown[self._index])

    def _write_path(self, index: int, waypoint: Waypoint) -> None:
        """The first leg begins where the aircraft is, every other at the waypoint before
        (updatePathDesired)."""
        action, row = waypoint.action, self._path.row
        row["Mode"] = self._path.number("Mode", action.mode)
        row["Start"] = self._flown[index - 1].position if index > 0 else self._here()
        row["End"] = self._end(waypoint)
        before = self._flown[index - 1] if index > 0 else waypoint
        row["StartingVelocity"] = np.float32(before.speed_mps)
        row["EndingVelocity"] = np.float32(waypoint.speed_mps)
        row["ModeParameters"] = self._mode_parameters(action)
        row["UID"] = index
        self._path.announce()

    def _end(self, waypoint: Waypoint) -> Vector:
        """A multirotor lands where it is, and takes off there by AutoTakeOffHeight, whatever the
        waypoint says (ObjectiveUpdated in vtollandcontroller.cpp, vtolautotakeoffcontroller.cpp).
        """
        mode, (north, east, down) = waypoint.action.mode, self._here()
        if self._is_fixed_wing or mode not in ("Land", "AutoTakeoff"):
            return waypoint.position
        if mode == "Land":
            return north, east, waypoint.position[2]
        height = abs(float(self._settings.fields["AutoTakeOffHeight"]))
        return north, east, down - min(max(height, _LOWEST_M), _HIGHEST_M)

    def _mode_parameters(self, action: PathAction) -> tuple[float, ...]:
        """Landing and taking off take their speed from FlightModeSettings."""
        north, east, down, last = action.mode_parameters
        if action.mode == "Land":
            down = float(self._settings.fields["LandingVelocity"])
        if action.mode == "AutoTakeoff":
            down = -float(self._settings.fields["AutoTakeOffVelocity"])
        return north, east, down, last


def _of(action: PathAction) -> tuple[float, ...]:
    return action.condition_parameters
