"""PathStatus, by which LegRemaining goes: what each controller of LibrePilot's
flight/modules/PathFollower counts as done.
"""

from typing import Any

import numpy as np
import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_guidance import FixedWingGuidance
from simulation.autopilot.preset import load_preset
from simulation.autopilot.vtol_guidance import VtolGuidance
from simulation.records.interface import COMMAND
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.autopilot.plans import write

Vector = tuple[float, float, float]
GUIDANCE = {"ar100b": VtolGuidance, "sea-vixen": FixedWingGuidance}


def status(
    catalogue: Catalogue, aircraft: str, mode: str, here: Vector, **fields: Any
) -> dict[str, Any]:
    """From (100, 0, -10) to (0, 0, -10), at rest there."""
    board = SimulatedBoard(catalogue, load_preset(aircraft))
    board["VtolPathFollowerSettings"].set(CourseFeedForward=fields.pop("ahead", 0.0))
    board["PositionState"].set(North=here[0], East=here[1], Down=here[2])
    board["VelocityState"].set(North=fields.pop("speed", 0.0))
    path = {"Start": [100.0, 0.0, -10.0], "End": [0.0, 0.0, -10.0], "StartingVelocity": 4.0}
    write(board, "PathDesired", {**path, "UID": 7, "Mode": mode, **fields})
    command: Any = np.zeros(1, COMMAND)[0]
    guidance = GUIDANCE[aircraft](board, command)
    guidance.update(0)
    board["PathStatus"].payload(0)
    row = board["PathStatus"].row
    return {name: row[name] for name in row.dtype.names} | {
        "Status": board["PathStatus"].option("Status")
    }


@pytest.mark.parametrize(
    ("mode", "here", "expected"),
    [
        ("GoToEndpoint", (25.0, 0.0, -10.0), 0.75),
        ("FollowVector", (25.0, 40.0, -10.0), 0.75),
        ("CircleRight", (0.0, 100.0, -10.0), 0.75),
        ("Land", (0.0, 0.0, -10.0), 0.0),
        ("Velocity", (0.0, 0.0, -10.0), 0.0),
    ],
)
def test_the_share_that_is_done(
    catalogue: Catalogue, mode: str, here: Vector, expected: float
) -> None:
    told = status(catalogue, "ar100b", mode, here)
    assert told["fractional_progress"] == pytest.approx(expected, abs=1e-4)
    assert (told["UID"], told["Status"]) == (7, "InProgress")


@pytest.mark.parametrize(("ahead_s", "expected"), [(0.0, 0.75), (2.0, 0.65)])
def test_it_counts_from_where_it_will_be(
    catalogue: Catalogue, ahead_s: float, expected: float
) -> None:
    """UpdateVelocityDesired of vtolflycontroller.cpp: CourseFeedForward seconds ahead."""
    told = status(catalogue, "ar100b", "FollowVector", (25.0, 0.0, -10.0), speed=5.0, ahead=ahead_s)
    assert told["fractional_progress"] == pytest.approx(expected)


def test_braking_counts_the_speed_that_is_gone(catalogue: Catalogue) -> None:
    """vtolbrakecontroller.cpp."""
    told = status(catalogue, "ar100b", "Brake", (0.0, 0.0, 0.0), speed=1.0)
    assert told["fractional_progress"] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("aircraft", "mode", "expected"),
    [
        ("ar100b", "SetAccessory", "Critical"),
        ("ar100b", "Velocity", "InProgress"),
        ("ar100b", "Brake", "InProgress"),
        ("sea-vixen", "Velocity", "Critical"),
        ("sea-vixen", "Brake", "Critical"),
        ("sea-vixen", "Land", "InProgress"),
    ],
)
def test_it_says_what_nobody_flies(
    catalogue: Catalogue, aircraft: str, mode: str, expected: str
) -> None:
    """pathFollowerSetActiveController of pathfollower.cpp."""
    assert status(catalogue, aircraft, mode, (0.0, 0.0, 0.0))["Status"] == expected


def test_an_aeroplane_that_takes_off_counts_the_height(catalogue: Catalogue) -> None:
    """setAttitude of fixedwingautotakeoffcontroller.cpp."""
    path = {"Start": [0.0, 0.0, 0.0], "End": [0.0, 0.0, -40.0]}
    told = status(catalogue, "sea-vixen", "AutoTakeoff", (0.0, 0.0, -10.0), **path)
    assert told["fractional_progress"] == pytest.approx(0.25)
    assert told["error"] == pytest.approx(30.0)
