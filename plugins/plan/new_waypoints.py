"""New waypoints as the user adds them: like those beside them, and so that they end."""

from dataclasses import replace
from typing import Final

from telemetry.missions.edits import inserted
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import LegAction, Mission, MissionWaypoint

_FIRST_HEIGHT_M: Final = 20.0
_FIRST_VELOCITY_MPS: Final = 3.0
_ARRIVED_M: Final = 3.0
GO_TO: Final = LegAction(
    "GoToEndpoint",
    end_condition="DistanceToTarget",
    condition_parameters=(_ARRIVED_M, 0.0, 0.0, 0.0),
)
"""Fly there and go on on arrival: as good without a waypoint before, whose line it would follow."""
FOLLOW: Final = LegAction()
_LIKE_OTHERS: Final = ("GoToEndpoint", "FollowVector")


def with_place(mission: Mission, index: int, latitude_deg: float, longitude_deg: float) -> Mission:
    """With a waypoint at a place, before the one that is `index` now. A mission without home has
    it there."""
    before = mission.waypoints[index - 1] if index else None
    if before is None:
        action, height, velocity = GO_TO, _FIRST_HEIGHT_M, _FIRST_VELOCITY_MPS
        made = MissionWaypoint(latitude_deg, longitude_deg, height, velocity, action=action)
    else:
        action = before.action if before.action.mode in _LIKE_OTHERS else FOLLOW
        is_first_line = index == 1 or action.end_condition == "None"
        made = replace(
            before,
            latitude_deg=latitude_deg,
            longitude_deg=longitude_deg,
            action=FOLLOW if is_first_line else action,
            name="",
            is_locked=False,
        )
    home = mission.home or MissionHome(latitude_deg, longitude_deg)
    return replace(inserted(mission, index, [made]), home=home)


def with_stay(mission: Mission) -> Mission:
    """Staying at the last waypoint until the pilot takes over, and no ending."""
    if not mission.waypoints:
        return mission
    last = mission.waypoints[-1]
    stays = LegAction("GoToEndpoint", end_condition="None")
    stayed = replace(last, action=stays, velocity_mps=0.0)
    return replace(mission.with_waypoint(len(mission.waypoints) - 1, stayed), ending=None)
