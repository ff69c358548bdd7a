"""How fast the flash fills, against packing by hand as `pios_debuglog.c` packs."""

import pytest

from telemetry.configuration.board_logs.log_filling import LoggedStream, slots_per_s


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
