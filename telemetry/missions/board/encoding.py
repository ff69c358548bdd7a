"""Mission encoding: a mission as the packed rows of a board's objects, and back.

The checksum is one CRC-8 over all waypoints, then all actions (UAVObjUpdateCRC and checkPathPlan of
LibrePilot; computePathPlanCrc in ground/gcs/src/plugins/opmap/modeluavoproxy.cpp).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from telemetry.missions.board.plan_definitions import INVALID, MissionBoardError, PlanDefinitions
from telemetry.missions.flown_plan import (
    flown_plan,
    staying_at_the_end,
    with_ending_recognized,
    with_landing_recognized,
)
from telemetry.missions.legs import point_of
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import (
    HeightReference,
    LegAction,
    Mission,
    MissionWaypoint,
    Parameters,
)
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.protocol.wire.crc import crc8
from telemetry.recording.sample import Sample

_ARRIVALS: Final = ("LegRemaining", "DistanceToTarget", "BelowError")
_MOST_ACTIONS: Final = 255


@dataclass(frozen=True, slots=True)
class PlanImage:
    """A plan as a board holds it: the packed rows of its waypoints and actions."""

    waypoints: tuple[bytes, ...] = ()
    actions: tuple[bytes, ...] = ()

    @property
    def crc(self) -> int:
        """PathPlan.Crc."""
        crc = 0
        for row in (*self.waypoints, *self.actions):
            crc = crc8(row, crc)
        return crc


def encode(
    mission: Mission,
    definitions: PlanDefinitions,
    home: MissionHome,
    ground: GroundHeights = FLAT_GROUND,
) -> PlanImage:
    """The rows to write, the ending's as well. Equal actions are one. Raises MissionBoardError with
    the waypoint."""
    mission = plan_on_board(mission, definitions, home, ground)
    rows: list[bytes] = []
    actions: dict[bytes, int] = {}
    for number, waypoint in enumerate(mission.waypoints, 1):
        try:
            values = _waypoint_values(waypoint, home, ground)
            if definitions.has_actions:
                packed = _packed_action(waypoint.action, definitions)
                values["Action"] = actions.setdefault(packed, len(actions))
            else:
                values["Mode"] = _mode_alone(waypoint.action, definitions)
            if len(actions) > _MOST_ACTIONS:
                raise MissionBoardError(f"A board takes {_MOST_ACTIONS} different actions at most.")
            rows.append(pack_values(definitions.waypoint, values))
        except MissionBoardError as error:
            raise MissionBoardError(f"Waypoint {number}: {error}") from None
        except ValueError as error:  # a number that does not fit
            raise MissionBoardError(f"Waypoint {number}: {error}.") from None
    return PlanImage(tuple(rows), tuple(actions))


def plan_on_board(
    mission: Mission,
    definitions: PlanDefinitions,
    home: MissionHome,
    ground: GroundHeights = FLAT_GROUND,
) -> Mission:
    """A mission as the waypoints that a board flies; it stays where that knows no landing."""
    flown = flown_plan(mission, home, ground)
    if flown is mission or definitions.lands:
        return flown
    return staying_at_the_end(flown)


def _waypoint_values(
    waypoint: MissionWaypoint, home: MissionHome, ground: GroundHeights
) -> dict[str, Any]:
    north, east, up = point_of(waypoint, home, ground)
    return {"Position": (north, east, -up), "Velocity": waypoint.velocity_mps}


def _packed_action(action: LegAction, definitions: PlanDefinitions) -> bytes:
    assert definitions.action is not None
    condition = list(action.condition_parameters)
    if action.end_condition == "AboveAltitude":
        counts_up = definitions.counts_altitude_up
        if counts_up is None:
            raise MissionBoardError(
                "A height that ends a waypoint counts upwards in new firmware and downwards in "
                "old, and which this is is not known yet. Wait until all objects have been fetched."
            )
        condition[0] = condition[0] if counts_up else -condition[0]
    return pack_values(
        definitions.action,
        {
            "Mode": definitions.mode_on_board(action.mode),
            "ModeParameters": action.mode_parameters,
            "EndCondition": action.end_condition,
            "ConditionParameters": condition,
            "Command": action.command,
            "JumpDestination": action.jump_destination,
            "ErrorDestination": action.error_destination,
        },
    )


def _mode_alone(action: LegAction, definitions: PlanDefinitions) -> str:
    """The mode for a board that always goes on to the next waypoint when it arrives."""
    if action.command != "OnConditionNextWaypoint":
        raise MissionBoardError("this firmware has no jumps. Choose 'then the next'.")
    stays = action.end_condition == "None"
    if not stays and action.end_condition not in _ARRIVALS:
        raise MissionBoardError(
            "this firmware goes on when it arrives and cannot end otherwise. "
            "Have it end with little of the leg left."
        )
    return definitions.mode_on_board(action.mode)


def decode(image: PlanImage, definitions: PlanDefinitions, home: MissionHome) -> Mission:
    """The mission that a board holds. Raises MissionBoardError if it makes no sense."""
    waypoints = []
    actions = [_action(row, definitions) for row in image.actions]
    for number, packed in enumerate(image.waypoints, 1):
        row = _sample(definitions.waypoint, packed)
        if definitions.has_actions:
            if row["Action"] >= len(actions):
                raise MissionBoardError(
                    f"Waypoint {number} on board refers to an action that does not exist. "
                    "Upload a plan anew."
                )
            action = actions[int(row["Action"])]
        else:
            action = LegAction(definitions.mode_of_ours(row["Mode"]))
        waypoints.append(_placed(row, action, home, number))
    read = Mission(tuple(waypoints), home)
    if definitions.lands:
        return with_ending_recognized(read, home)
    return with_landing_recognized(read, home)


def _placed(row: Sample, action: LegAction, home: MissionHome, number: int) -> MissionWaypoint:
    north, east, down = row["Position"]
    velocity = row["Velocity"]
    if not np.isfinite((north, east, down, velocity)).all() or abs(north) + abs(east) > 1e6:
        raise MissionBoardError(f"Waypoint {number} on board is nowhere. Upload a plan anew.")
    latitude, longitude = to_latitude_longitude(home, north, east)
    return MissionWaypoint(latitude, longitude, -down, velocity, HeightReference.HOME, action)


def _action(packed: bytes, definitions: PlanDefinitions) -> LegAction:
    assert definitions.action is not None
    row = _sample(definitions.action, packed)
    action = LegAction(
        definitions.mode_of_ours(str(row["Mode"])),
        _four(row["ModeParameters"]),
        str(row["EndCondition"]),
        _four(row["ConditionParameters"]),
        str(row["Command"]),
        int(row["JumpDestination"]),
        int(row["ErrorDestination"]),
    )
    if action.end_condition == "AboveAltitude" and definitions.counts_altitude_up is False:
        first, *others = action.condition_parameters
        action = replace(action, condition_parameters=_four((-first, *others)))
    return action


def _four(values: Any) -> Parameters:
    a, b, c, d = (float(value) for value in values)
    return a, b, c, d


def _sample(definition: ObjectDefinition, packed: bytes) -> Sample:
    return Sample(0.0, definition, 0, row_of(definition, packed))


def values_of(definition: ObjectDefinition, packed: bytes) -> Mapping[str, Any]:
    """All fields of a row as they are to be written, options as numbers."""
    row = row_of(definition, packed)
    return {f.name: row[f.name].tolist() for f in definition.fields}


def end_mark(definition: ObjectDefinition) -> bytes:
    """The waypoint at which a plan ends on boards without PathPlan."""
    return pack_values(definition, {"Mode": INVALID})
