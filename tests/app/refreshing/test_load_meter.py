"""The window gives up some of its pictures where it does not keep up, in a stated order."""

from app.refreshing.load_meter import EASED_AFTER, Load, LoadMeter

FRAME_S = 0.016


class Ticks:
    """Ticks on a clock of their own."""

    def __init__(self) -> None:
        self.now = 10.0
        self.meter = LoadMeter(FRAME_S)

    def run(self, seconds: float, gap_s: float) -> Load:
        end_s = self.now + seconds
        while self.now < end_s:
            self.now += gap_s
            self.meter.take(self.now)
        return self.meter.load


def test_ticks_in_time_are_no_load() -> None:
    ticks = Ticks()
    assert ticks.run(5.0, FRAME_S) is Load.NORMAL
    assert ticks.run(5.0, 1.3 * FRAME_S) is Load.NORMAL


def test_late_ticks_are_load_step_by_step() -> None:
    ticks = Ticks()
    assert ticks.run(1.1, 2 * FRAME_S) is Load.NORMAL, "a start is no load either"
    assert ticks.run(1.1, 2 * FRAME_S) is Load.HIGH
    assert ticks.run(2.2, 2 * FRAME_S) is Load.TOO_HIGH
    assert ticks.run(5.0, 1.4 * FRAME_S) is Load.TOO_HIGH, "neither late nor with time to spare"


def test_more_is_shown_again_after_some_seconds_with_time_to_spare() -> None:
    ticks = Ticks()
    ticks.run(5.0, 2 * FRAME_S)
    assert ticks.run(EASED_AFTER / 2, FRAME_S) is Load.TOO_HIGH
    assert ticks.run(EASED_AFTER, FRAME_S) is Load.HIGH
    assert ticks.run(EASED_AFTER + 2.0, FRAME_S) is Load.NORMAL


def test_one_long_gap_is_no_load_and_a_pause_ends_it() -> None:
    ticks = Ticks()
    for _ in range(5):
        ticks.run(0.9, FRAME_S)
        assert ticks.run(0.2, 0.6) is Load.NORMAL
    ticks.run(5.0, 2 * FRAME_S)
    ticks.meter.rest()
    ticks.now += 60.0
    assert ticks.run(2.0, FRAME_S) is Load.NORMAL
