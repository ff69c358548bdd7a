"""PathStatus: how far the path follower has come, and whether it can fly the path at all.

What it wants, VelocityDesired and objects of its own, it writes as often.
"""

from collections.abc import Callable

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import PathLegProgress


class PathProgress:
    """Publishes what `measured` says, which is asked when somebody reads it."""

    def __init__(
        self, board: SimulatedBoard, measured: Callable[[], PathLegProgress], *also: str
    ) -> None:
        """`also` are further objects that are written with it."""
        self._measured = measured
        self._path = board["PathDesired"]
        self._status = board["PathStatus"]
        self._written = tuple(board[name] for name in ("PathStatus", "VelocityDesired", *also))
        numbers = (self._status.number("Status", name) for name in ("InProgress", "Critical"))
        self._in_progress, self._critical = numbers
        self._has_failed = False
        self._path_time_s = 0.0

    def update(self, has_failed: bool, path_time_s: float = 0.0) -> None:
        """Once per loop. Firmware never says Completed. `path_time_s` counts while braking only."""
        self._has_failed = has_failed
        self._path_time_s = path_time_s
        self._status.refresh = self._write_status
        for entry in self._written:
            entry.touch()

    def _write_status(self) -> None:
        self._status.refresh = None
        progress = self._measured()
        self._status.fill(
            progress.fraction,
            progress.error_m,
            *progress.velocity,
            *progress.correction,
            self._path_time_s,
            int(self._path.fields["UID"]),
            self._critical if self._has_failed else self._in_progress,
        )
