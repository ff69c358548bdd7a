"""Thrust by height: stabilizationAltitudeHold of LibrePilot's Stabilization/altitudeloop.cpp."""

from typing import Any

import numpy as np
import pytest

from simulation.autopilot.altitude_loop import AltitudeLoop
from simulation.autopilot.board import SimulatedBoard
from simulation.records.interface import COMMAND, VERTICAL_HOLD, VERTICAL_MANUAL, VERTICAL_VARIO


@pytest.fixture
def command() -> Any:
    return np.zeros(1, COMMAND)[0]


@pytest.fixture
def loop(board: SimulatedBoard, command: Any) -> AltitudeLoop:
    board["AltitudeHoldSettings"].set(ThrustRate=3.0, ThrustExp=0, CutThrustWhenZero=1)
    board["PositionState"].set(Down=-12.0)
    return AltitudeLoop(board, command)


@pytest.mark.parametrize(
    ("stick", "sink_mps"), [(1.0, -3.0), (0.8, -1.5), (0.61, -0.075), (0.39, 0.075), (0.1, 2.25)]
)
def test_vario_asks_for_a_velocity_outside_of_its_dead_band(
    loop: AltitudeLoop, command: Any, stick: float, sink_mps: float
) -> None:
    """DEADBAND 0.20 about the middle; ThrustRate at the ends."""
    loop.fly("AltitudeVario", stick)
    assert command["vertical_mode"] == VERTICAL_VARIO
    assert command["velocity_down"] == pytest.approx(sink_mps)


@pytest.mark.parametrize(
    ("mode", "stick"),
    [
        ("AltitudeVario", 0.41),
        ("AltitudeVario", 0.59),
        ("AltitudeHold", 0.9),
        ("AltitudeHold", 0.1),
    ],
)
def test_the_height_is_held_where_it_was(
    board: SimulatedBoard, loop: AltitudeLoop, command: Any, mode: str, stick: float
) -> None:
    """AltitudeHold does not look at the stick."""
    loop.fly(mode, stick)
    board["PositionState"].set(Down=-14.0)
    loop.fly(mode, stick)
    assert (command["vertical_mode"], command["down_m"]) == (VERTICAL_HOLD, -12.0)
    loop.leave()
    loop.fly(mode, stick)
    assert command["down_m"] == -14.0


def test_expo_bends_the_velocity(board: SimulatedBoard, loop: AltitudeLoop, command: Any) -> None:
    board["AltitudeHoldSettings"].set(ThrustExp=255)
    loop.fly("AltitudeVario", 0.8)
    assert command["velocity_down"] == pytest.approx(-3.0 * 0.5**3)


@pytest.mark.parametrize(("cuts", "vertical"), [(1, VERTICAL_MANUAL), (0, VERTICAL_VARIO)])
def test_the_lower_end_of_the_stick_cuts_the_thrust(
    board: SimulatedBoard, loop: AltitudeLoop, command: Any, cuts: int, vertical: int
) -> None:
    board["AltitudeHoldSettings"].set(CutThrustWhenZero=cuts)
    loop.fly("AltitudeVario", 0.0)
    assert command["vertical_mode"] == vertical
