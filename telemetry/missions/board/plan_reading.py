"""Plan reading: a plan as a board held it when it was read back, and whether it still counts.

A board tells a change of its plan to nobody (PathPlan is sent when it is asked for only:
pathplan.xml), and forgets it when it restarts. So what was read is known of that instant; what a
view says of it is worked out anew from this and from what has been heard since.
"""

from dataclasses import dataclass

from telemetry.missions.board.comparison import WaypointDifference, mission_differences
from telemetry.missions.board.encoding import PlanImage, decode
from telemetry.missions.board.plan import BoardPlan, board_home
from telemetry.missions.board.plan_definitions import MissionBoardError, PlanDefinitions
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import GroundHeights
from telemetry.vehicle.vehicle import Vehicle

BoardSession = tuple[int, int]
"""How often the link was lost and how often the board restarted: with another one nothing that was
read of the board's memory is known any more."""


@dataclass(frozen=True, slots=True)
class PlanReading:
    """The rows that were read at `read_s`, in seconds of the aircraft's recording."""

    image: PlanImage
    definitions: PlanDefinitions
    read_s: float
    session: BoardSession

    def is_heard_otherwise(self, vehicle: Vehicle) -> bool:
        """Whether the aircraft has said since that rows of it are others, or how many."""
        board, image = BoardPlan(vehicle), self.image
        plan = board.newest("PathPlan")
        if plan is not None and int(plan["WaypointCount"]) != len(image.waypoints):
            return True
        rows = {"Waypoint": image.waypoints, "PathAction": image.actions}
        return any(
            board.row(name, instance) != row
            for name, parts in rows.items()
            for instance, row in enumerate(parts)
        )

    def differences(
        self, mission: Mission, vehicle: Vehicle, ground: GroundHeights
    ) -> tuple[WaypointDifference, ...] | None:
        """What of a plan differs from it, counted from home as it is now; None while the board has
        no home, or where the rows make no sense."""
        home = board_home(vehicle.recording)
        if home is None:
            return None
        try:
            on_board = decode(self.image, self.definitions, home)
        except MissionBoardError:
            return None
        return mission_differences(mission, on_board, home, ground)


def board_session(vehicle: Vehicle) -> BoardSession:
    """That of now."""
    restarts = sum(event.kind == "reboot" for event in vehicle.recording.events())
    return vehicle.link_losses, restarts


def plan_samples(vehicle: Vehicle, reading: PlanReading) -> int:
    """How often the parts of a plan that was read have been heard of: with another number they may
    be others."""
    recording = vehicle.recording
    parts = [("PathPlan", 1), ("Waypoint", len(reading.image.waypoints))]
    parts.append(("PathAction", len(reading.image.actions)))
    tracks = (recording.track(name, i) for name, count in parts for i in range(count))
    return sum(track.count for track in tracks if track is not None)
