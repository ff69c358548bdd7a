"""The example behaviour that follows a corridor by optic flow, flown without GPS.

The band is that of the scenario `corridor` (seed 003: between the walls, near their middle); where
it is is the simulation's truth, of which the behaviour is told nothing.
"""

import math

import numpy as np
import pytest

from examples.behaviour.follow_corridor import HEIGHT_M, FollowCorridor
from telemetry.flying.behaviours.script_moment import ScriptMoment
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.flying.behaviours.flown_behaviour import fly_behaviour

LEFT_OFF_M = 0.25
"""Just off the ground: further up it drifts towards a wall before the behaviour has it."""


@pytest.mark.slow
def test_it_flies_along_the_middle(catalogue: Catalogue) -> None:
    steer, world = FollowCorridor().steer, "corridor:start=near-a-wall"
    flown = fly_behaviour(catalogue, "mcx2-indoor", world, steer, 14.0, LEFT_OFF_M)
    assert not flown.touched
    north, east, down = np.array(flown.places_m).T
    assert north[-1] > 4.0
    later = east[140:]
    assert math.sqrt(np.mean(later**2)) < 0.2
    assert -down[-1] == pytest.approx(HEIGHT_M, abs=0.5)


@pytest.mark.slow
def test_steered_the_other_way_it_meets_a_wall(catalogue: Catalogue) -> None:
    """Negative control, as in the scenario: the sign of the weights turned round."""
    behaviour = FollowCorridor()

    def steer(moment: ScriptMoment) -> dict[str, float]:
        sticks = behaviour.steer(moment)
        return {**sticks, "roll": -sticks["roll"]}

    flown = fly_behaviour(catalogue, "mcx2-indoor", "corridor", steer, 14.0, LEFT_OFF_M)
    assert flown.touched
    assert flown.places_m[-1][0] < 4.0
