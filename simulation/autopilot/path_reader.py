"""Path reader: PathDesired as the path follower takes it over when somebody has written it."""

from simulation.autopilot.board import BoardObject, ChangeFlag, SimulatedBoard
from simulation.autopilot.path_geometry import NOWHERE, Path, vector_of


class PathReader:
    """`path` and `parameters` are those of PathDesired as of the newest `is_new`; `version` counts
    how often that was written."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._entry = board["PathDesired"]
        self.path = Path("", NOWHERE, NOWHERE)
        self.parameters = (0.0, 0.0, 0.0, 0.0)
        self.version = 0
        self._written = ChangeFlag(self._entry)

    def is_new(self) -> bool:
        """Whether it was written since it was asked last."""
        if not self._written.take_down():
            return False
        self.version += 1
        self.path = path_of(self._entry)
        first, second, third, last = self._entry.fields["ModeParameters"].tolist()
        self.parameters = (first, second, third, last)
        return True


def path_of(entry: BoardObject) -> Path:
    """What PathDesired says."""
    row = entry.row
    return Path(
        entry.option("Mode"),
        vector_of(row["Start"]),
        vector_of(row["End"]),
        float(row["StartingVelocity"]),
        float(row["EndingVelocity"]),
    )
