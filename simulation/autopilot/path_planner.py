"""PathPlanner: flies the plan of PathPlan, Waypoint and PathAction, one waypoint after another.

Writes PathDesired and WaypointActive. Whoever follows paths reads PathDesired and reports how far
it has come in PathStatus, which the planner reads in its turn. Waypoints, end conditions and
commands mean what they mean to the firmware; plans wrap around at their end. A plan that cannot
be flown is never flown in part: `update` says so and the caller holds position.
"""

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.end_conditions import CONDITIONS, ConditionInputs
from simulation.autopilot.flight_plan import FlightPlan, PathAction, Waypoint
from simulation.autopilot.path_geometry import Vector


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
        self._accessory = board["AccessoryDesired"]
        self._index: int | None = None
        self._flown: tuple[Waypoint, ...] = ()
        self._since_us = 0
        self._asked: int | None = None
        self._is_own_write = False
        self._active.subscribe(self._waypoint_chosen)

    @property
    def problem(self) -> str | None:
        """Why the plan on board cannot be flown, as a sentence; None if it can."""
        return self._plan.problem

    def enter(self) -> None:
        """The mode was chosen: start anew, or go on, by FlightModeChangeRestartsPathPlan."""
        restarts = self._settings.option("FlightModeChangeRestartsPathPlan") == "True"
        self._asked = 0 if restarts or self._index is None else self._index

    @property
    def next_mode(self) -> str:
        """How the leg that `update` will begin or go on with is flown; "" without a plan."""
        waypoints = self._plan.waypoints
        index = (self._index or 0) if self._asked is None else self._asked
        return (
            waypoints[index if 0 <= index < len(waypoints) else 0].action.mode if waypoints else ""
        )

    def update(self, now_us: int) -> bool:
        """Choose the leg and write it; False if there is no plan that can be flown."""
        waypoints = self._plan.waypoints
        if not waypoints:
            self._index = None
            return False
        if waypoints is not self._flown:
            self._flown = waypoints
            self._asked = self._asked or 0
        if self._asked is not None:
            self._fly_to(self._asked, now_us)
        elif self._index is not None:
            next_index = self._after(self._index, now_us)
            if next_index is not None:
                self._fly_to(next_index, now_us)
        return True

    # Choosing ---------------------------------------------------------------------------

    def _after(self, index: int, now_us: int) -> int | None:
        """The waypoint to fly to now, if it is another one (or the same once more)."""
        action = self._flown[index].action
        if self._has_failed():
            return action.error
        met = CONDITIONS[action.condition](self._situation(index, now_us), _of(action))
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
        following = self._flown[(index + 1) % len(self._flown)].position
        north, east, down = (b - a for a, b in zip(target, following, strict=True))
        return ConditionInputs(
            elapsed_s=(now_us - self._since_us) / 1e6,
            position=self._here(),
            velocity=self._velocity.vector(),
            airspeed_mps=self._airspeed_mps(),
            target=target,
            next_leg=(north, east, down),
            fraction=float(status["fractional_progress"]),
            error_m=float(status["error"]),
        )

    def _airspeed_mps(self) -> float:
        return float(self._airspeed.newest()["TrueAirspeed"])

    def _here(self) -> Vector:
        return self._position.vector()

    def _waypoint_chosen(self) -> None:
        """A station wrote WaypointActive: jump there."""
        if not self._is_own_write:
            self._asked = int(self._active.fields["Index"])

    # Flying -----------------------------------------------------------------------------

    def _fly_to(self, index: int, now_us: int) -> None:
        self._asked = None
        self._index = index if 0 <= index < len(self._flown) else 0
        self._since_us = now_us
        self._is_own_write = True
        self._active.set(Index=self._index)
        self._is_own_write = False
        waypoint = self._flown[self._index]
        if waypoint.action.mode == "SetAccessory":
            self._set_accessory(waypoint.action)
        self._write_path(self._index, waypoint)

    def _write_path(self, index: int, waypoint: Waypoint) -> None:
        """The first leg begins where the aircraft is, every other at the waypoint before."""
        action, row = waypoint.action, self._path.row
        row["Mode"] = self._path.number("Mode", action.mode)
        row["Start"] = self._flown[index - 1].position if index > 0 else self._here()
        row["End"] = waypoint.position
        if action.mode == "AutoTakeoff":  # straight up
            row["End"][:2] = self._here()[:2]
        row["StartingVelocity"] = np.float32(waypoint.speed_mps)
        # Where nothing ends the leg, its end is where to stop.
        stops = action.condition in ("None", "PythonScript")
        row["EndingVelocity"] = np.float32(0.0 if stops else waypoint.speed_mps)
        row["ModeParameters"] = self._mode_parameters(action)
        row["UID"] = index
        self._path.announce()

    def _mode_parameters(self, action: PathAction) -> tuple[float, ...]:
        """Landing and taking off take their speed from FlightModeSettings, unless given."""
        north, east, down, last = action.mode_parameters
        if action.mode == "Land" and down <= 0.0:
            down = float(self._settings.fields["LandingVelocity"])
        if action.mode == "AutoTakeoff" and down >= 0.0:
            down = -float(self._settings.fields["AutoTakeOffVelocity"])
        return north, east, down, last

    def _set_accessory(self, action: PathAction) -> None:
        """[instance, value]: the aircraft flies on to the waypoint meanwhile."""
        instance = int(action.mode_parameters[0])
        if 0 <= instance < len(self._accessory.rows):
            self._accessory.rows[instance]["AccessoryVal"] = action.mode_parameters[1]


def _of(action: PathAction) -> tuple[float, ...]:
    return action.condition_parameters
