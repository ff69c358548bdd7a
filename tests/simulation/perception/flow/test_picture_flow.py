"""Image interpolation against the least squares that it solves, and as firmware computes it."""

import numpy as np
import pytest

from simulation.perception.flow.low_pass import LowPass
from simulation.perception.flow.picture_flow import (
    INT8,
    INT16,
    REAL,
    FlowArithmetic,
    PictureFlow,
    Pictures,
)


def noise(seed: int, *shape: int) -> Pictures:
    return np.random.default_rng(seed).uniform(0.0, 255.0, shape)


def least_squares(before: Pictures, now: Pictures, shift: int) -> Pictures:
    """Eq. 24 and 25 of seed 003: the mixture of moved pictures that is nearest to the new one."""
    inner = slice(shift, -shift), slice(shift, -shift)

    def moved(axis: int, by: int) -> Pictures:
        return np.roll(before, by, axis)[inner]

    across = moved(1, shift) - moved(1, -shift)  # f2 - f1, f2 being the picture moved to +x
    down = moved(0, shift) - moved(0, -shift)
    change = (now - before)[inner]
    sides = 0.5 * np.stack([across.ravel(), down.ravel()], axis=1) / shift
    return np.linalg.lstsq(sides, change.ravel(), rcond=None)[0]


@pytest.mark.parametrize(("shape", "shift"), [((16, 16), 1), ((8, 64), 1), ((32, 32), 2)])
def test_it_is_the_least_squares_solution(shape: tuple[int, int], shift: int) -> None:
    """Also of pictures that have nothing to do with each other."""
    flow = PictureFlow((3, *shape), REAL, shift)
    before, now = noise(1, 3, *shape), noise(2, 3, *shape)
    flow.add(before)
    flow.add(now)
    expected = [least_squares(*pair, shift) for pair in zip(before, now, strict=True)]
    assert flow.flow == pytest.approx(np.array(expected))


def test_the_first_picture_has_no_flow() -> None:
    """The seed's program compares it with memory that nobody has written."""
    flow = PictureFlow((1, 16, 16), INT8)
    flow.add(noise(1, 1, 16, 16))
    assert not flow.has_flow
    assert not flow.flow.any()
    flow.add(noise(2, 1, 16, 16))
    assert flow.has_flow
    assert flow.flow.any()


def ramp(moved: float) -> Pictures:
    """A slope in both directions, for which the method is exact, moved to the right."""
    y, x = np.mgrid[0:16, 0:16].astype(float)
    return (100.0 + 4.0 * (x - moved) + 0.5 * y * y)[None]


@pytest.mark.parametrize(
    ("moved", "arithmetic", "counts", "saturated"),
    [
        (0.5, INT8, 63, False),  # 63.5, cut off
        (-0.5, INT8, -63, False),  # towards zero, as C does
        (3.0, INT8, 127, True),
        (-3.0, INT8, -127, True),
        (3.0, INT16, 381, False),
    ],
)
def test_counts_are_cut_off_and_kept_within_their_limit(
    moved: float, arithmetic: FlowArithmetic, counts: int, saturated: bool
) -> None:
    """127 counts are a pixel (appendix B.2, lines 133 to 152)."""
    flow = PictureFlow((1, 16, 16), arithmetic)
    flow.add(ramp(0.0))
    flow.add(ramp(moved))
    assert flow.flow[0, 0] == counts
    assert bool(flow.saturated[0, 0]) is saturated


def test_whole_numbers_take_whole_pixels() -> None:
    real, whole = PictureFlow((1, 16, 16), INT16), PictureFlow((1, 16, 16), INT16)
    for seed in (1, 2):
        picture = noise(seed, 1, 16, 16)
        real.add(np.floor(picture))
        whole.add(picture)
    assert (real.flow == whole.flow).all()


def test_without_texture_there_is_no_flow() -> None:
    flow = PictureFlow((1, 16, 16))
    for grey in (10.0, 200.0):
        flow.add(np.full((1, 16, 16), grey))
    assert not flow.flow.any()


def test_pictures_that_have_no_room_are_refused() -> None:
    for size, shift in (((9, 16, 16), 1), ((1, 65, 64), 1), ((1, 2, 64), 1), ((1, 16, 16), 8)):
        with pytest.raises(ValueError, match="pi"):
            PictureFlow(size, REAL, shift)


def test_the_filter_goes_on_from_its_own_last_value() -> None:
    """Eq. 33, corrected."""
    low_pass = LowPass(0.2)
    found = [low_pass.add([1.0, 2.0]) for _ in range(3)]
    assert np.array(found)[:, 0] == pytest.approx([0.2, 0.36, 0.488])
    assert np.array(found)[:, 1] == pytest.approx([0.4, 0.72, 0.976])
