"""Braking: LibrePilot's vtolbrakecontroller.cpp and vtolbrakefsm.cpp, figures from there."""

from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.braking import Braking


class Braked:
    """A board that brakes from 5 m/s to the north, within 12 s."""

    def __init__(self, board: SimulatedBoard, limit_s: float = 12.0) -> None:
        self.board = board
        board["VtolPathFollowerSettings"].set(BrakeRate=2.5, HorizontalPosP=0.5)
        board["PathDesired"].set(StartingVelocity=5.0, ModeParameters=(5.0, 0.0, 0.0, limit_s))
        self.brake = Braking(board)
        self.brake.activate(0)
        self.now_us = 0

    def run(self, seconds: float, **velocity: float) -> Any:
        self.board["VelocityState"].set(**velocity)
        for _ in range(round(seconds / 0.02)):
            self.now_us += 20_000
            self.brake.update(self.now_us)
        return self.brake


@pytest.fixture
def braked(board: SimulatedBoard) -> Braked:
    return Braked(board)


def test_the_velocity_sinks_by_the_brake_rate(braked: Braked) -> None:
    assert braked.run(0.4, North=5.0).velocity == pytest.approx((4.0, 0.0, 0.0))
    assert braked.run(0.4, North=5.0).velocity == pytest.approx((3.0, 0.0, 0.0))


def test_it_is_never_faster_than_it_flies(braked: Braked) -> None:
    """UpdateBrakeVelocity."""
    assert braked.run(0.4, North=1.5).velocity == pytest.approx((1.5, 0.0, 0.0))
    assert braked.run(0.02, North=-1.0).velocity == pytest.approx((0.0, 0.0, 0.0))


@pytest.mark.parametrize(("north", "holds"), [(0.14, True), (0.16, False)])
def test_it_holds_once_it_is_slow(braked: Braked, north: float, holds: bool) -> None:
    """BRAKE_EXIT_VELOCITY_LIMIT 0.15 m/s, with 95 % of StartingVelocity gone."""
    assert braked.run(0.02, North=north).is_holding is holds


def test_it_is_not_done_while_it_climbs_fast(braked: Braked) -> None:
    """fractional_progress counts the speed in space: 1 m/s of 5 is left."""
    assert not braked.run(0.02, North=0.0, Down=-1.0).is_holding


def test_it_holds_when_its_time_is_up(braked: Braked) -> None:
    assert not braked.run(11.9, North=3.0).is_holding
    assert braked.run(0.2, North=3.0).is_holding


def test_without_a_time_it_goes_on_braking(board: SimulatedBoard) -> None:
    braked = Braked(board, limit_s=0.0)
    assert not braked.run(60.0, North=3.0).is_holding
    assert braked.brake.velocity == pytest.approx((3.0, 0.0, 0.0)), "path_time stands still"


def test_holding_goes_back_to_where_it_stopped(braked: Braked) -> None:
    braked.board["PositionState"].set(North=3.0, Down=-8.0)
    braked.run(0.02, North=0.0)
    braked.board["PositionState"].set(North=5.0, Down=-7.0)
    brake = braked.run(0.02, North=2.0)
    assert brake.velocity == pytest.approx((-1.0, 0.0, 0.0))
    assert brake.down_m == -8.0
