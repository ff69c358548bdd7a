"""How far the automatic modes have come: PathStatus, StatusVtolAutoTakeoff and StatusVtolLand."""

from simulation.autopilot.board import Board
from simulation.autopilot.path_geometry import Path, Progress, progress_on, vector_of

_THERE_M = 0.5
_NOWHERE = (0.0, 0.0, 0.0)


class PathProgress:
    """Publishes what the path follower is doing; measures the way along its path."""

    def __init__(self, board: Board) -> None:
        self._position = board["PositionState"]
        self._path = board["PathDesired"]
        self._status = board["PathStatus"]
        self._numbers = {
            name: self._status.number("Status", name) for name in ("InProgress", "Completed")
        }
        self._takeoff = board["StatusVtolAutoTakeoff"]
        self._land = board["StatusVtolLand"]
        modes = self._path.definition.field_named("Mode")
        self._mode_names = dict(zip(modes.option_values, modes.options, strict=True))
        self._shown = ("Inactive", "Inactive")
        self._since_us = 0
        self._leg: tuple[int, Path] | None = None
        self._asked: tuple[int, Path] = (0, Path("", _NOWHERE, _NOWHERE))
        self._packed = b""
        self._whole_m = 0.0

    def restart(self, now_us: int) -> None:
        """A path begins."""
        self._since_us = now_us
        self._leg = None

    def measure(self, now_us: int) -> None:
        """Write PathStatus.

        The direction is a unit vector along a path, and the whole way where there is only an end.
        """
        progress = self._progress(now_us)
        fraction = progress.fraction if self._whole_m > _THERE_M else 1.0
        state = "Completed" if progress.left_m < _THERE_M else "InProgress"
        if self._status.is_supplied:
            return
        self._status.fill(
            min(max(fraction, 0.0), 1.0),
            progress.error_m,
            *progress.direction,
            *progress.correction,
            (now_us - self._since_us) / 1e6,
            self._asked[0],
            self._numbers[state],
        )
        self._status.announce()

    def show(self, takeoff: str, land: str) -> None:
        """Publish the states of taking off and landing, when they change."""
        if (takeoff, land) == self._shown:
            return
        self._shown = (takeoff, land)
        self._takeoff.set(State=self._takeoff.number("State", takeoff))
        self._land.set(State=self._land.number("State", land))

    def _progress(self, now_us: int) -> Progress:
        self._read_path()
        leg = uid, path = self._asked
        here = vector_of(self._position.row)
        progress = progress_on(path, here, self._whole_m)
        if leg != self._leg:
            if self._leg is None or uid != self._leg[0]:
                self._since_us = now_us
            self._leg, self._whole_m = leg, progress.left_m
            progress = progress_on(path, here, self._whole_m)
        return progress

    def _read_path(self) -> None:
        """Take PathDesired over when it differs from what it was."""
        row = self._path.row
        packed = row.tobytes()
        if packed == self._packed:
            return
        self._packed = packed
        mode = self._mode_names.get(int(row["Mode"]), "Brake")
        path = Path(mode, vector_of(row["Start"]), vector_of(row["End"]))
        self._asked = (int(row["UID"]), path)
