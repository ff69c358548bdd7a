"""A sample of the random drops of `benchmarks.drops`, judged from outside: no energy from nothing,
no centre of mass in a body, no contact point deep in one at rest. Friction on a slope is Coulomb's.
"""

import math
from typing import Any

import numpy as np
import pytest

from benchmarks.drops import AIRCRAFT, LEVEL, DropPlace
from benchmarks.solid import SolidJudge
from simulation.environment.earth import GRAVITY
from simulation.records.flight import VELOCITY
from tests.simulation.flights import parked
from tests.simulation.worlds.flown import box, world_of

_DROPS = 60
"""Of each aircraft in the house and on level ground; 20 in a shipped world besides are 500."""
_LOOKED_AT_MS = 1800


def _house() -> Any:
    """A gate, a thin table, a step, a ramp of 15 and a roof of 30 degrees, a corner with a door."""
    return world_of(
        box((0.0, 0.0, -0.7), (1.6, 0.8, 0.04)),
        box((3.0, 0.0, 0.0), (0.2, 0.2, 2.5)),
        box((3.0, 1.2, 0.0), (0.2, 0.2, 2.5)),
        box((3.0, 0.6, -2.5), (0.2, 1.4, 0.2)),
        box((-3.0, 0.0, 0.0), (1.0, 3.0, 0.25)),
        box((0.0, 5.0, -0.5), (4.0, 3.0, 0.1), (15.0, 0.0, 0.0)),
        box((0.0, -5.0, -0.9), (3.0, 3.0, 0.1), (-30.0, 0.0, 0.0)),
        box((6.0, 4.0, 0.0), (0.12, 3.0, 2.7)),
        box((6.0, 8.0, 0.0), (0.12, 3.0, 2.7)),
        box((4.5, 9.5, 0.0), (3.0, 0.12, 2.7)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("aircraft", AIRCRAFT)
def test_random_drops_gain_no_energy_and_get_into_nothing(aircraft: str) -> None:
    for world in (LEVEL, _house()):
        drops = DropPlace(world, aircraft).dropped(1, _DROPS, steps=_LOOKED_AT_MS)
        assert not drops.failed().any()
        assert np.isfinite(drops.depth_m).sum() > _DROPS // 3  # came to rest


@pytest.mark.slow
def test_so_do_drops_into_a_shipped_world() -> None:
    drops = DropPlace("arena", "crazyflie").dropped(1, 20, steps=_LOOKED_AT_MS)
    assert not drops.failed().any()
    assert np.isfinite(drops.depth_m).sum() > 20 // 3


_ONTO_AN_EDGE = (
    *(0.923469099783455, -10.095928786546565, -1.6518503812233538, 0.0, 0.0, 0.0),
    *(-0.83150155822106, 0.4439662551406616, -0.32581044364767, 0.07312098045318158),
    *(0.4715940818203315, -1.0890791965616835, 2.0197923117205874),
)
"""Motion of a Crazyflie in the arena: one of 10,000 drops, whose centre of mass came in."""


def _put_over_an_edge(records: Any) -> None:
    records["state"]["motion"][:, : len(_ONTO_AN_EDGE)] = _ONTO_AN_EDGE


def test_springs_do_not_press_the_centre_of_mass_through_an_edge() -> None:
    """By micrometres a step. It hangs over the edge of a platform, held by all its contacts."""
    drops = DropPlace("arena", "crazyflie").dropped(1, 1, _put_over_an_edge, 1600)
    assert not drops.failed().any()


def _without_stop(records: Any) -> None:
    records["parameters"]["contact_stroke"] = math.inf


def test_by_its_springs_alone_it_gets_into_the_ground() -> None:
    """The negative control."""
    assert DropPlace(LEVEL, "crazyflie").dropped(1, 40, _without_stop).came_in.sum() > 10


def _repelled_too_late(records: Any) -> None:
    """Springs that damp by pushing."""
    records["parameters"]["contact_damping"] = -0.2


def test_the_judge_sees_energy_that_is_made() -> None:
    """The negative control."""
    drops = DropPlace(LEVEL, "ar100b").dropped(1, 20, _repelled_too_late)
    assert (drops.gain_m > 0.01).any()


def test_the_judge_knows_what_is_in_a_box() -> None:
    judge = SolidJudge(world_of(box((1.0, 0.0, -1.0), (2.0, 2.0, 0.5))).scene)
    places = np.array([(1.2, 0.1, -1.2), (1.2, 0.1, -1.6), (1.2, 0.1, -0.9), (1.2, 0.1, 0.2)])
    assert judge.inside(places).tolist() == [True, False, False, True]
    assert judge.distance(places[0], 1.0) == pytest.approx(0.2, abs=1e-6)
    assert judge.crossed(places[1:2], places[2:3]).tolist() == [True]


@pytest.mark.parametrize("slope_deg", [15.0, 30.0])
@pytest.mark.parametrize("friction", [0.2, 0.7])
def test_on_slopes_it_holds_or_slides_as_coulomb_says(slope_deg: float, friction: float) -> None:
    """It holds where tan(slope) < mu and else slides with g (sin - mu cos). On feet that stand wide
    enough not to tip over."""
    slope = math.radians(slope_deg)
    ramp = box((0.0, 0.0, -3.0), (40.0, 40.0, 1.0), (0.0, -slope_deg, 0.0))
    simulator = parked(name="crazyflie")
    simulator.enter(world_of(ramp, start_m=(0.0, 0.0, -5.0)))
    simulator.record["parameters"]["friction"] = friction
    slides = max(GRAVITY * (math.sin(slope) - friction * math.cos(slope)), 0.0)
    motion = simulator.record["state"]["motion"]
    simulator.advance(100 if slides else 1500)
    before = np.linalg.norm(motion[VELOCITY : VELOCITY + 3])
    simulator.advance(100)
    after = np.linalg.norm(motion[VELOCITY : VELOCITY + 3])
    assert (after - before) / 0.1 == pytest.approx(slides, rel=0.03, abs=1e-3)
    assert after < 1e-3 or slides
