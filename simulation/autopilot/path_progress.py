"""PathStatus: how far the path follower has come, and whether it can fly the path at all."""

from collections.abc import Callable

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import PathLegProgress


class PathProgress:
    """Publishes what `measured` says, which is asked when somebody reads it."""

    def __init__(self, board: SimulatedBoard, measured: Callable[[], PathLegProgress]) -> None:
        self._measured = measured
        self._path = board["PathDesired"]
        self._status = board["PathStatus"]
        numbers = (self._status.number("Status", name) for name in ("InProgress", "Critical"))
        self._in_progress, self._critical = numbers
        self._has_failed = False
        self._path_time_s = 0.0

    def update(self, has_failed: bool, path_time_s: float = 0.0) -> None:
        """Once per loop. Firmware never says Completed. `path_time_s` counts while braking only."""
        self._has_failed = has_failed
        self._path_time_s = path_time_s
        self._status.refresh = self._write_status
        self._status.touch()

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
