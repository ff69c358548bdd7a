"""Block matching against PX4Flow itself: flow.c of PX4/Flow at 6c8cdb3, compiled for a desktop
with UHADD8 and USADA8 written out, gave the flow and quality that are expected here."""

import numpy as np
import numpy.typing as npt
import pytest

from simulation.compiler.program import reference_to
from simulation.perception.flow.block_matching import BLOCKS, SIDE, match_blocks

Array = npt.NDArray[np.float64]


def _picture(right: float, down: float, noise: float = 0.0) -> Array:
    """Waves of five to forty pixels' length, moved by that, in whole grey levels."""
    random = np.random.default_rng(5)
    ways = random.uniform(-1.2, 1.2, (40, 2))
    phases = random.uniform(0.0, 6.28, 40)
    rows, columns = np.mgrid[:SIDE, :SIDE].astype(np.float64)
    seen = np.zeros((SIDE, SIDE))
    for (x, y), phase in zip(ways, phases, strict=True):
        seen += np.sin(x * (columns - right) + y * (rows - down) + phase)
    random = np.random.default_rng(int(1000 * noise + 7))
    seen = 128.0 + 12.0 * seen + noise * random.standard_normal(seen.shape)
    return np.asarray(np.clip(np.floor(seen), 0.0, 255.0))


def _matched(now: Array) -> tuple[float, float, int]:
    record = np.zeros(1, BLOCKS)
    blocks = record[0]
    blocks["search"], blocks["feature"], blocks["value"] = 4, 40, 5000
    blocks["before"], blocks["now"] = _picture(0.0, 0.0).ravel(), now.ravel()
    match_blocks.run(reference_to(record))
    return float(blocks["flow"][0]), float(blocks["flow"][1]), int(blocks["quality"])


@pytest.mark.parametrize(
    ("moved", "noise", "expected"),
    [
        ((0.15, 0.0), 0.0, (0.0, 0.0, 255)),
        ((0.3, 0.0), 0.0, (0.5, 0.0, 255)),
        ((0.0, -0.7), 0.0, (0.0, -0.5, 255)),
        ((1.2, -0.6), 0.0, (1.1, -0.54, 255)),
        ((2.3, 3.7), 0.0, (2.34, 3.66, 255)),
        ((1.2, -0.6), 4.0, (1.1, -0.52, 255)),
        ((7.0, 0.0), 0.0, (0.92, -0.92, 255)),  # beyond its search window
        ((0.4, 0.2), 60.0, (0.26, 0.16, 255)),
    ],
)
def test_it_finds_what_the_firmware_finds(
    moved: tuple[float, float], noise: float, expected: tuple[float, float, int]
) -> None:
    right, down, quality = _matched(_picture(*moved, noise))
    assert (right, down) == pytest.approx(expected[:2], abs=1e-6)
    assert quality == expected[2]
