"""PathPlanner: flies the plan of PathPlan, Waypoint and PathAction, one waypoint after another.

Writes PathDesired and WaypointActive. Whoever follows paths reads PathDesired and reports how far
it has come in PathStatus, which the planner reads in its turn. Waypoints, end conditions and
commands mean what they mean to LibrePilot's flight/modules/PathPlanner/pathplanner.c; plans wrap
around at their end. A plan that cannot be flown is never flown in part: `update` says so and the
caller holds position. The planner never disarms: after landing by a plan the motors are off and the
aircraft stays armed, and flies on if the plan goes on.
"""

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.end_conditions import CONDITIONS, ConditionInputs, TimeOutClock
from simulation.autopilot.flight_plan import FlightPlan, Waypoint
from simulation.autopilot.path_geometry import Vector, progress_on, vector_of
from simulation.autopilot.path_reader import path_of


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
        self._active.subscribe(self._waypoint_chosen)

    @property
    def problem(self) -> str | None:
        """Why the plan on board cannot be flown, as a sentence; None if it can."""
        return self._plan.problem

    def leave(self) -> None:
        """Another mode was chosen, or the plan is no longer whole: `update` enters it anew."""
        self._index = self._asked = None

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
        met = CONDITIONS[action.condition](
            self._situation(index, now_us), action.condition_parameters
        )
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
        condition = self._flown[index].action.condition
        return ConditionInputs(
            elapsed_s=self._clock.read_s(index, now_us) if condition == "TimeOut" else 0.0,
            position=self._here(),
            velocity=self._velocity.vector(),
            airspeed_mps=float(self._airspeed.newest()["CalibratedAirspeed"]),
            target=target,
            next_leg=(north, east, down),
            fraction=float(status["fractional_progress"]),
            error_m=self._error_m() if condition == "BelowError" else 0.0,
        )

    def _error_m(self) -> float:
        """From where it is, not from where it will be, as PathStatus says (conditionBelowError)."""
        return progress_on(path_of(self._path), self._here()).error_m

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
        row["End"] = waypoint.position
        before = self._flown[index - 1] if index > 0 else waypoint
        row["StartingVelocity"] = np.float32(before.speed_mps)
        row["EndingVelocity"] = np.float32(waypoint.speed_mps)
        row["ModeParameters"] = action.mode_parameters
        row["UID"] = index
        self._path.announce()
