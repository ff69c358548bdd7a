"""Flight plans written straight to a board, as a station would."""

from collections.abc import Mapping, Sequence
from typing import Any

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.flight_plan import plan_crc
from telemetry.protocol.objects.values import pack_values

Values = Mapping[str, Any]


def write(board: SimulatedBoard, name: str, values: Values, instance: int = 0) -> None:
    """One instance of an object, the other values being the defaults."""
    definition = board[name].definition
    assert board.write(definition.object_id, instance, pack_values(definition, values))


def write_plan(
    board: SimulatedBoard, waypoints: Sequence[Values], actions: Sequence[Values]
) -> None:
    """A whole plan with a good checksum."""
    for i, values in enumerate(actions):
        write(board, "PathAction", values, i)
    for i, values in enumerate(waypoints):
        write(board, "Waypoint", values, i)
    crc = plan_crc(board["Waypoint"], len(waypoints), board["PathAction"], len(actions))
    counts = {"WaypointCount": len(waypoints), "PathActionCount": len(actions), "Crc": crc}
    write(board, "PathPlan", counts)


def place(north: float, east: float = 0.0, down: float = -10.0, **values: Any) -> Values:
    """A waypoint."""
    return {"Position": [north, east, down], "Velocity": 3.0, **values}
