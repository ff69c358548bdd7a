"""PathStatus.fractional_progress while a plan is flown, by which LegRemaining goes.

LibrePilot *next*: path_endpoint, path_vector and path_circle in flight/libraries/paths.c; the
controllers of flight/modules/PathFollower for what has no path.
"""

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_progress import PathProgress
from tests.simulation.autopilot.plans import write

Vector = tuple[float, float, float]


def _fraction(board: SimulatedBoard, mode: str, here: Vector, speed: float = 0.0) -> float:
    """From (100, 0, -10) to (0, 0, -10)."""
    progress = PathProgress(board)
    progress.show_plan(has_failed=False)
    board["PositionState"].set(North=here[0], East=here[1], Down=here[2])
    board["VelocityState"].set(North=speed)
    path = {"Start": [100.0, 0.0, -10.0], "End": [0.0, 0.0, -10.0], "StartingVelocity": 4.0}
    write(board, "PathDesired", {**path, "Mode": mode})
    progress.measure(0)
    return float(board["PathStatus"].newest()["fractional_progress"])


@pytest.mark.parametrize(
    ("mode", "here", "expected"),
    [
        ("GoToEndpoint", (25.0, 0.0, -10.0), 0.75),
        ("GoToEndpoint", (0.0, 0.2, -10.0), 0.998),
        ("GoToEndpoint", (250.0, 0.0, -10.0), 0.0),
        ("FollowVector", (25.0, 40.0, -10.0), 0.75),
        ("CircleRight", (0.0, 100.0, -10.0), 0.25),
        ("CircleLeft", (0.0, 100.0, -10.0), 0.75),
        ("Land", (0.0, 0.0, -10.0), 0.0),
        ("Velocity", (0.0, 0.0, -10.0), 0.0),
        ("AutoTakeoff", (0.0, 0.0, 0.0), 1.0),
    ],
)
def test_the_share_that_is_done(
    board: SimulatedBoard, mode: str, here: Vector, expected: float
) -> None:
    assert _fraction(board, mode, here) == pytest.approx(expected, abs=1e-4)


def test_braking_counts_the_speed_that_is_gone(board: SimulatedBoard) -> None:
    """vtolbrakecontroller.cpp."""
    assert _fraction(board, "Brake", (0.0, 0.0, 0.0), 1.0) == pytest.approx(0.75)
