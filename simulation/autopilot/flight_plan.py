"""The flight plan on board: PathPlan, Waypoint and PathAction, checked before anything flies it.

The checks are the firmware's: the counts, one CRC-8 over the packed waypoints and then the
actions, and every reference between them. What is wrong is said in a sentence, and a plan with
anything wrong is not flown at all.
"""

import math
from dataclasses import dataclass

from simulation.autopilot.board import BoardObject, ChangeFlag, SimulatedBoard
from telemetry.protocol.wire.crc import crc8


@dataclass(frozen=True, slots=True)
class PathAction:
    """One PathAction: how to fly (`mode`), until when (`condition`), and what then (`command`).

    `jump` and `error` are waypoint numbers; a `jump` below zero counts forward from the present
    waypoint, -1 being the next.
    """

    mode: str
    condition: str
    command: str
    mode_parameters: tuple[float, ...]
    condition_parameters: tuple[float, ...]
    jump: int
    error: int


@dataclass(frozen=True, slots=True)
class Waypoint:
    """One Waypoint: metres north, east and down of home, and the speed towards it in m/s."""

    position: tuple[float, float, float]
    speed_mps: float
    action: PathAction


class FlightPlan:
    """The plan as a station has written it. `problem` says why it cannot be flown, if so."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._plan = board["PathPlan"]
        self._waypoint = board["Waypoint"]
        self._action = board["PathAction"]
        self._changed = ChangeFlag(self._plan, self._waypoint, self._action)
        self._waypoints: tuple[Waypoint, ...] = ()
        self._problem: str | None = None

    @property
    def problem(self) -> str | None:
        """What keeps the plan from being flown, as a sentence; None if nothing does."""
        self._refresh()
        return self._problem

    @property
    def waypoints(self) -> tuple[Waypoint, ...]:
        """The waypoints with their actions; empty while there is a problem."""
        self._refresh()
        return self._waypoints

    def _refresh(self) -> None:
        if self._changed.take_down():
            self._problem = self._find_problem()
            self._waypoints = () if self._problem else tuple(self._read_waypoints())

    def _counts(self) -> tuple[int, int]:
        return int(self._plan.fields["WaypointCount"]), int(self._plan.fields["PathActionCount"])

    def _find_problem(self) -> str | None:
        waypoints, actions = self._counts()
        if waypoints == 0:
            return "There is no flight plan on board."
        for entry, count, name in (
            (self._waypoint, waypoints, "waypoints"),
            (self._action, actions, "actions"),
        ):
            if len(entry.rows) < count:
                return f"The plan has {count} {name}, but only {len(entry.rows)} have arrived."
        crc = plan_crc(self._waypoint, waypoints, self._action, actions)
        if crc != int(self._plan.fields["Crc"]):
            return "The checksum of the flight plan is wrong: it has not arrived whole."
        return self._find_bad_reference(waypoints, actions)

    def _find_bad_reference(self, waypoints: int, actions: int) -> str | None:
        for i, row in enumerate(self._waypoint.rows[:waypoints]):
            if int(row["Action"]) >= actions:
                return f"Waypoint {i} refers to action {row['Action']}, which does not exist."
            if not all(math.isfinite(x) for x in (*row["Position"].tolist(), row["Velocity"])):
                return f"Waypoint {i} has a position or speed that is not a number."
        for i, row in enumerate(self._action.rows[:actions]):
            furthest = max(int(row["JumpDestination"]), int(row["ErrorDestination"]))
            if furthest >= waypoints:
                return f"Action {i} jumps to waypoint {furthest}, which does not exist."
        return None

    def _read_waypoints(self) -> list[Waypoint]:
        waypoints, actions = self._counts()
        known = [self._read_action(i) for i in range(actions)]
        read = []
        for row in self._waypoint.rows[:waypoints]:
            north, east, down = row["Position"].tolist()
            action = known[int(row["Action"])]
            read.append(Waypoint((north, east, down), float(row["Velocity"]), action))
        return read

    def _read_action(self, i: int) -> PathAction:
        row = self._action.rows[i]
        definition = self._action.definition

        def option(field: str) -> str:
            return definition.field_named(field).option_text(int(row[field]))

        return PathAction(
            mode=option("Mode"),
            condition=option("EndCondition"),
            command=option("Command"),
            mode_parameters=tuple(row["ModeParameters"].tolist()),
            condition_parameters=tuple(row["ConditionParameters"].tolist()),
            jump=int(row["JumpDestination"]),
            error=int(row["ErrorDestination"]),
        )


def plan_crc(
    waypoint: BoardObject, waypoint_count: int, action: BoardObject, action_count: int
) -> int:
    """PathPlan.Crc: one CRC-8 over the packed bytes of all waypoints, then of all actions."""
    crc = 0
    for entry, count in ((waypoint, waypoint_count), (action, action_count)):
        for i in range(count):
            crc = crc8(entry.payload(i), crc)
    return crc
