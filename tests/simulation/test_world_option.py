"""`--world` says what is missing in a world that it can fly in."""

from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from simulation.world_option import load_flown_world

HILLS = """
title = "Hills"
[ground]
heights = "hills.tif"
step_m = 2.0
[starts.top]
position_m = [0.0, 0.0, -5.0]
"""


@pytest.mark.slow
def test_a_hole_in_the_ground_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import tifffile

    heights = np.full((9, 9), 4.0, np.float32)
    heights[0, 0] = np.nan
    tifffile.imwrite(tmp_path / "hills.tif", heights)
    (tmp_path / "world.toml").write_text(HILLS, encoding="utf-8")
    flown = load_flown_world(Namespace(world=str(tmp_path), seed=1))
    assert flown is not None
    assert flown.ground_below(8.0, -8.0, -5.0) == pytest.approx(-4.0)
    assert "no height at 1 of 81 points" in capsys.readouterr().err
