"""`--world` says what is missing in a world that it can fly in."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulation.autopilot.preset import load_preset
from simulation.command.world_option import load_flown_world
from simulation.scenarios.scenario import Scenario, ScenarioStep
from simulation.scenarios.world_fit import what_does_not_fit
from simulation.simulator.flown_world import FlownWorld
from tests.simulation.worlds.flown import box, world_of

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


def _up_and_down(**settings: float) -> Scenario:
    steps = tuple(map(ScenarioStep, ("arm", "takeoff", "land")))
    objects = {"FlightModeSettings": settings}
    return Scenario("up-and-down", "", steps=steps, settings=objects)


def _under(ceiling_m: float, side_m: float) -> FlownWorld:
    return world_of(box((0.0, 0.0, -ceiling_m), (side_m, side_m, 0.2)))


def test_a_flight_that_needs_more_room_or_sky_than_there_is_is_told_before() -> None:
    """FlightModeSettings.AutoTakeOffHeight is 2.5 m by the firmware's definition."""
    hector, scenario = load_preset("hector"), _up_and_down()
    low = what_does_not_fit(scenario, hector, _under(2.7, 0.5))
    assert "climbs by 2.5 m; above the start 'start' of boxes there are 2.7 m" in low
    assert "satellites" not in low
    indoors = what_does_not_fit(scenario, hector, _under(9.0, 200.0))
    assert "needs them for takeoff" in indoors
    assert "climbs" not in indoors
    # --- and what fits is not ---
    assert not what_does_not_fit(scenario, hector, _under(9.0, 0.5))
    assert not what_does_not_fit(_up_and_down(AutoTakeOffHeight=2.0), hector, _under(2.7, 0.5))
    lower = replace(hector, objects={"FlightModeSettings": {"AutoTakeOffHeight": 2.0}})
    assert not what_does_not_fit(scenario, lower, _under(2.7, 0.5))
    assert not what_does_not_fit(scenario, hector, world_of())
    waiting = Scenario("waiting", "", steps=(ScenarioStep("wait", 1.0),))
    assert not what_does_not_fit(waiting, hector, _under(2.7, 200.0))
