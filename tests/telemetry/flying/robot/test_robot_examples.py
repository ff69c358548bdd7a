"""The scripts under examples/robot fly, by the interface that they show."""

import pytest

from examples.robot import formation
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.flying.robot.bench import RobotBench, flying_by_themselves


@pytest.mark.slow
def test_two_robots_fly_in_formation(catalogue: Catalogue) -> None:
    """Neither knows its place better than firmware's filter does, 1.4 m (rms) on each axis, so that
    two of them are 2 m apart in what they believe; and the follower arrives a little later."""
    leader, follower = RobotBench(catalogue), RobotBench(catalogue)
    for bench in (leader, follower):
        bench.pass_time(4.0)
    with flying_by_themselves(leader, follower):
        errors_m = formation.fly(leader.robot, follower.robot, formation.CORNERS[:1])
    assert max(errors_m) < 5.0
    assert follower.truth[1] - leader.truth[1] == pytest.approx(formation.EAST_M, abs=4.0)
