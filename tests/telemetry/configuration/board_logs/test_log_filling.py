"""How fast the flash fills, against packing by hand as `pios_debuglog.c` packs."""

import random

import pytest

from telemetry.configuration.board_logs.log_filling import LoggedStream, slots_per_s
from tests.boards.emulated_log_flash import LogFlash


@pytest.mark.parametrize(
    ("size", "in_a_block"),
    [
        (16, 6),  # 16 + 5 x 33 = 181; a seventh would be 214
        (20, 5),  # 20 + 4 x 37 = 168; a sixth would be 205
        (183, 1),  # 183 + 200 is more than 200
        (92, 1),  # 92 + 109 = 201: one byte too much
        (91, 2),  # 91 + 108 = 199
        (1, 12),  # 1 + 11 x 18 = 199
        (217, 1),  # is cut to the 200 bytes that there are
    ],
)
def test_a_block_takes_as_many_as_fit_with_a_header_before_each_but_the_first(
    size: int, in_a_block: int
) -> None:
    assert slots_per_s([LoggedStream(size, 100.0)]) == pytest.approx(100.0 / in_a_block, rel=0.003)


def test_objects_of_two_sizes_share_a_block() -> None:
    """A 42, B 32 by turns: A 42, B 42 + 49 = 91, A 150, B 199: four in each."""
    streams = [LoggedStream(42, 50.0), LoggedStream(32, 50.0)]
    assert slots_per_s(streams) == pytest.approx(25.0, rel=0.003)


def test_what_is_rare_counts_for_what_it_is() -> None:
    rare = [LoggedStream(16, 0.1) for _ in range(30)]
    often = LoggedStream(16, 300.0)
    assert slots_per_s([often, *rare]) == pytest.approx(303.0 / 6, rel=0.005)


def test_nothing_fills_nothing() -> None:
    assert slots_per_s([]) == 0.0
    assert slots_per_s([LoggedStream(16, 0.0)]) == 0.0


def test_it_agrees_with_a_flash_that_is_filled() -> None:
    """Phases are the board's own: within 4 % of a minute of ten objects, of 3 to 50 Hz."""
    phases = random.Random(1)
    streams = [LoggedStream(size, per_s) for size in (9, 16, 20, 32, 41) for per_s in (3.0, 50.0)]
    entries = sorted(
        ((number + phases.random()) / stream.per_s, stream.size_bytes)
        for stream in streams
        for number in range(round(60 * stream.per_s))
    )
    flash = LogFlash()
    for t_s, size in entries:
        flash.log(t_s * 1e6, 0x7421C7BA, bytes(size))
    flash.write_all()
    per_s = len(flash.slots) / 60
    assert slots_per_s(streams) == pytest.approx(per_s, rel=0.04)
    assert sum(s.per_s * (17 + s.size_bytes) for s in streams) / 217 < 0.96 * per_s  # none is full
