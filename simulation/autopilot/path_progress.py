"""How far the automatic modes have come: PathStatus, StatusVtolAutoTakeoff and StatusVtolLand."""

import math

from simulation.autopilot.board import Board

_THERE_M = 0.5


class PathProgress:
    """Publishes what the path follower is doing; measures the way to its end point."""

    def __init__(self, board: Board) -> None:
        self._position = board["PositionState"]
        self._path = board["PathDesired"]
        self._status = board["PathStatus"]
        self._takeoff = board["StatusVtolAutoTakeoff"]
        self._land = board["StatusVtolLand"]
        self._shown = ("Inactive", "Inactive")
        self._since_us = 0
        self._end: tuple[float, ...] = ()
        self._whole_m = 0.0

    def restart(self, now_us: int) -> None:
        """A path begins."""
        self._since_us = now_us
        self._end = ()

    def measure(self, now_us: int) -> None:
        """Write PathStatus: the way from where the end point was set, done and left, metres."""
        end = tuple(self._path.row["End"].tolist())
        here = self._position.row.tolist()
        way = [e - h for e, h in zip(end, here, strict=True)]
        left_m = math.hypot(*way)
        if end != self._end:
            self._end, self._whole_m = end, left_m
        done = 1.0 - left_m / self._whole_m if self._whole_m > _THERE_M else 1.0
        state = "Completed" if left_m < _THERE_M else "InProgress"
        self._status.set(
            fractional_progress=min(max(done, 0.0), 1.0),
            error=left_m,
            path_direction_north=way[0],
            path_direction_east=way[1],
            path_direction_down=way[2],
            path_time=(now_us - self._since_us) / 1e6,
            UID=int(self._path.row["UID"]),
            Status=self._status.number("Status", state),
        )

    def show(self, takeoff: str, land: str) -> None:
        """Publish the states of taking off and landing, when they change."""
        if (takeoff, land) == self._shown:
            return
        self._shown = (takeoff, land)
        self._takeoff.set(State=self._takeoff.number("State", takeoff))
        self._land.set(State=self._land.number("State", land))
