"""How far the automatic modes have come: PathStatus, StatusVtolAutoTakeoff and StatusVtolLand."""

import math

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_guidance import is_fixed_wing
from simulation.autopilot.path_geometry import Path, PathLegProgress, progress_on, vector_of

_THERE_M = 0.5
_NOWHERE = (0.0, 0.0, 0.0)


class PathProgress:
    """Publishes what the path follower is doing; measures the way along its path."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._is_fixed_wing = is_fixed_wing(board)
        self._path = board["PathDesired"]
        self._status = board["PathStatus"]
        self._numbers = {
            name: self._status.number("Status", name) for name in ("InProgress", "Critical")
        }
        self._takeoff = board["StatusVtolAutoTakeoff"]
        self._land = board["StatusVtolLand"]
        modes = self._path.definition.field_named("Mode")
        self._mode_names = dict(zip(modes.option_values, modes.options, strict=True))
        self._since_us = self._now_us = 0
        self._state = "InProgress"
        self._is_planned = False
        self._here = _NOWHERE
        self._leg: tuple[int, Path] | None = None
        self._asked: tuple[int, Path] = (0, Path("", _NOWHERE, _NOWHERE))
        self._packed = b""
        self._whole_m = 0.0

    def restart(self, now_us: int) -> None:
        """A path begins."""
        self._since_us = now_us
        self._leg = None
        self._state = "InProgress"
        self._is_planned = False

    def show_plan(self, has_failed: bool) -> None:
        """The path is one of a plan, and can be flown or not. Firmware never says Completed."""
        self._is_planned = True
        self._state = "Critical" if has_failed else "InProgress"

    def measure(self, now_us: int) -> None:
        """Note where the aircraft is; PathStatus is worked out when somebody reads it."""
        self._read_path()
        self._here = self._position.vector()
        self._now_us = now_us
        if self._asked != self._leg:
            uid, path = self._asked
            if self._leg is None or uid != self._leg[0]:
                self._since_us = now_us
            self._leg = self._asked
            self._whole_m = progress_on(path, self._here, 0.0).left_m
        self._status.refresh = self._write_status
        self._status.touch()

    def show_takeoff(self, state: str) -> None:
        """Publish the state of taking off."""
        self._takeoff.set(State=self._takeoff.number("State", state))

    def show_land(self, state: str) -> None:
        """Publish the state of landing."""
        self._land.set(State=self._land.number("State", state))

    def _write_status(self) -> None:
        """The direction is a unit vector along a path, and the whole way where there is only an
        end."""
        self._status.refresh = None
        uid, path = self._asked
        progress = progress_on(path, self._here, self._whole_m)
        if self._is_planned:
            fraction = self._planned_fraction(path, progress)
        else:
            fraction = progress.fraction if self._whole_m > _THERE_M else 1.0
        self._status.fill(
            min(max(fraction, 0.0), 1.0),
            progress.error_m,
            *progress.direction,
            *progress.correction,
            (self._now_us - self._since_us) / 1e6,
            uid,
            self._numbers[self._state],
        )

    def _planned_fraction(self, path: Path, progress: PathLegProgress) -> float:
        """What LibrePilot's controllers count, which end conditions go by: path_endpoint in
        flight/libraries/paths.c, UpdateVelocityDesired of the vtol…controller.cpp and setAttitude
        of fixedwingautotakeoffcontroller.cpp in flight/modules/PathFollower."""
        match path.mode:
            case "FollowVector" | "CircleRight" | "CircleLeft":
                return progress.fraction
            case "Land" | "Velocity":
                return 0.0
            case "AutoTakeoff":  # a multirotor that takes off by a plan is there at once
                return self._climbed(path) if self._is_fixed_wing else 1.0
            case "Brake":
                first = float(self._path.fields["StartingVelocity"])
                return 1.0 - math.hypot(*self._velocity.vector()) / first if first > 0.0 else 1.0
        return 1.0 - progress.left_m / max(math.dist(path.start, path.end), 1.0)

    def _climbed(self, path: Path) -> float:
        height = path.end[2] - path.start[2]
        return (self._here[2] - path.start[2]) / height if abs(height) > 1e-3 else 1.0

    def _read_path(self) -> None:
        """Take PathDesired over when it differs from what it was."""
        packed = self._path.packed()
        if packed == self._packed:
            return
        self._packed = packed
        row = self._path.row
        mode = self._mode_names.get(int(row["Mode"]), "Brake")
        path = Path(mode, vector_of(row["Start"]), vector_of(row["End"]))
        self._asked = (int(row["UID"]), path)
