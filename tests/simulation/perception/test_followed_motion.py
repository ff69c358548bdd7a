"""Sensors carried by a thread of their own see what they would have seen in the flight's."""

import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.followed_motion import FollowedMotion
from simulation.perception.given_path import GivenPath
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from tests.simulation.perception.paths import digest, winding
from tests.simulation.perception.rooms import room

DOWN = (0.0, -90.0, 0.0)
FINDER = SensorMount("down", "lidar-lite-v3", attitude_deg=DOWN)
SCANNER = SensorMount("front", "utm-30lx", (0.1, 0.0, -0.05), changes={"rays": 31})


def _direct(steps: int) -> list[SuiteSample]:
    path, found = GivenPath(winding), list[SuiteSample]()
    PerceptionSuite(path, room(), [FINDER, SCANNER]).subscribe(found.append)
    path.advance(steps)
    return found


class _Followed:
    """The same, followed."""

    def __init__(self, most_behind_s: float = 100.0) -> None:
        self.path = GivenPath(winding)
        self.motion = FollowedMotion(self.path, most_behind_s)
        self.found: list[SuiteSample] = []
        suite = PerceptionSuite(self.motion, room(), [FINDER, SCANNER])
        suite.subscribe(self.found.append)
        self.motion.on_gap = suite.begin_anew

    def advance(self, steps: int) -> None:
        self.path.advance(steps)


@pytest.mark.slow
def test_what_is_seen_does_not_depend_on_how_far_behind_the_looking_is() -> None:
    followed = _Followed()
    for steps in (7, 300, 1, 192):
        followed.advance(steps)
        followed.motion.follow(0.0)
    assert digest(followed.found) == digest(_direct(500))


def test_looking_that_is_too_slow_leaves_out_samples_and_sees_nothing_that_is_not_so() -> None:
    followed = _Followed(most_behind_s=0.2)
    followed.advance(100)
    followed.motion.follow(0.0)
    before = len(followed.found)
    followed.advance(500)  # far more than may wait
    followed.motion.follow(0.0)
    followed.advance(200)
    followed.motion.follow(0.0)
    whole = {(each.description.name, each.sample.number): each for each in _direct(800)}
    names = [(each.description.name, each.sample.number) for each in followed.found]
    assert len(names) == len(set(names))
    assert before < len(names) < len(whole)
    assert digest(followed.found) == digest([whole[name] for name in names])


def test_a_flight_that_does_not_go_on_is_not_waited_for() -> None:
    followed = _Followed()
    followed.motion.follow(0.0)
    assert followed.found == []
