"""Which channel has moved: how a wizard finds out what stick is where."""

from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.receiver_activity import ReceiverActivity
from telemetry.protocol.objects.values import pack_values

LOOP_US = 20_000


class Watch:
    """A receiver's pulses, loop by loop."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.activity = ReceiverActivity(board)
        self.now_us = 0
        self.channels = [1500] * 8

    def loop(self, **moved: int) -> tuple[str, int]:
        """One loop with channels given as c1=1200; what the object then says."""
        for name, pulse in moved.items():
            self.channels[int(name[1:]) - 1] = pulse
        definition = self.board["GCSReceiver"].definition
        payload = pack_values(definition, {"Channel": self.channels})
        assert self.board.write(definition.object_id, 0, payload)
        self.activity.update(self.now_us)
        self.now_us += LOOP_US
        entry: Any = self.board["ReceiverActivity"]
        return entry.option("ActiveGroup"), int(entry.row["ActiveChannel"])


@pytest.fixture
def watch(board: SimulatedBoard) -> Watch:
    return Watch(board)


def test_the_channel_that_moves_is_named_whether_assigned_or_not(watch: Watch) -> None:
    assert watch.loop() == ("None", 255)
    assert watch.loop(c2=1600) == ("GCS", 2)
    assert watch.loop(c8=1400) == ("GCS", 8)
    assert watch.loop() == ("GCS", 8)


def test_noise_and_slow_drift_are_not_moves(watch: Watch) -> None:
    watch.loop()
    for i in range(50):
        assert watch.loop(c1=1500 + 10 * (i % 2)) == ("None", 255)


def test_a_move_is_forgotten_after_five_seconds(watch: Watch) -> None:
    watch.loop()
    watch.loop(c3=1900)
    for _ in range(250):
        assert watch.loop() == ("GCS", 3)
    watch.loop()
    assert watch.loop() == ("None", 255)


def test_armed_nobody_watches(watch: Watch) -> None:
    watch.loop()
    watch.board["FlightStatus"].set(Armed=2)
    assert watch.loop(c1=1900) == ("None", 255)
