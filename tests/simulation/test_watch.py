"""Full-rate columns: rows at fixed steps, whatever the blocks, without touching the flight."""

import numpy as np
import pytest

from simulation.scenarios.track import OutputTrack
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked, thrown

MEMBERS = ("true_position", "gyro", "imu_count")


def dropped(blocks: list[int], every: int) -> tuple[Simulator, OutputTrack]:
    simulator = thrown(parked(), 30.0, rates=(0.5, -0.3, 0.2))
    track = OutputTrack(MEMBERS)
    simulator.watch(track.add, every)
    for steps in blocks:
        simulator.advance(steps)
    return simulator, track


@pytest.mark.parametrize("blocks", [[1] * 60, [60], [7, 7, 7, 7, 32], [0, 59, 1]])
@pytest.mark.parametrize("every", [1, 8, 60])
def test_rows_do_not_depend_on_the_blocks(blocks: list[int], every: int) -> None:
    simulator, track = dropped(blocks, every)
    reference, wanted = dropped([60], every)
    assert track["step"].tolist() == list(range(every, 61, every))
    assert track.digest() == wanted.digest()
    assert simulator.snapshot() == reference.snapshot()


def test_watching_does_not_change_the_flight() -> None:
    watched, _ = dropped([60], 1)
    alone = thrown(parked(), 30.0, rates=(0.5, -0.3, 0.2))
    alone.advance(60)
    assert watched.snapshot() == alone.snapshot()


def test_full_rate_shows_every_step_and_the_sensors_own_rate() -> None:
    _, track = dropped([200], 1)
    assert (np.diff(track["true_position"][:, 2]) > 0.0).all()
    assert np.diff(track["imu_count"]).tolist() == [0, 1] * 99 + [0]


def test_it_ends_when_told() -> None:
    simulator, track = dropped([10], 1)
    simulator.watch(None)
    simulator.advance(10)
    assert len(track) == 10
