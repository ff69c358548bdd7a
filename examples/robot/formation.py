"""Two robots in formation: one flies a triangle, the other stays beside it.

    .venv/bin/python -m examples.robot.formation
    .venv/bin/python -m examples.robot.formation tcp:192.168.4.1:9000 sim:ar100b

The addresses may be those of real aircraft, of simulated ones, or of one of each. Every aircraft
counts metres from its own home; start both from one spot, one after the other.
"""

import math
import sys
import threading
from collections.abc import Sequence

from telemetry.flying.robot.action import RobotAction
from telemetry.flying.robot.connecting import connect
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.robot import Robot

HEIGHT_M = 4.0
EAST_M = 8.0
Corners = Sequence[tuple[float, float]]
CORNERS: Corners = ((6.0, 0.0), (6.0, 6.0), (0.0, 0.0))
MOVED_M = 0.5


def main(leader_address: str = "sim:ar100b", follower_address: str = "sim:ar100b#2") -> None:
    with connect(leader_address) as leader, connect(follower_address) as follower:
        errors_m = fly(leader, follower)
        print("Off its place at the corners:", ", ".join(f"{error:.1f} m" for error in errors_m))


def fly(leader: Robot, follower: Robot, corners: Corners = CORNERS) -> list[float]:
    """How far the follower is from its place when the leader is at each corner, in metres."""
    take_offs = [robot.take_off(HEIGHT_M, wait=False) for robot in (leader, follower)]
    for take_off in take_offs:
        take_off.wait()
    place(leader, follower).wait()
    following = threading.Event()
    shadow = threading.Thread(target=follow, args=(leader, follower, following))
    shadow.start()
    errors_m = []
    for north_m, east_m in corners:
        leader.go_to(north_m, east_m, HEIGHT_M)
        errors_m.append(error_m(leader, follower))
    following.set()
    shadow.join()
    return errors_m


def follow(leader: Robot, follower: Robot, ended: threading.Event) -> None:
    """Send the follower to its place whenever the leader has moved."""
    last = math.inf, math.inf
    for sample in leader.samples("PositionState", newest_only=True):
        if ended.is_set():
            return
        here = float(sample["North"]), float(sample["East"])
        if math.dist(here, last) > MOVED_M:
            last = here
            place(leader, follower)


def place(leader: Robot, follower: Robot) -> RobotAction:
    """Send the follower beside the leader."""
    here = leader.state
    if here.north_m is None or here.east_m is None:
        raise RobotError("The leader does not say where it is. Wait for GPS.")
    return follower.go_to(here.north_m, here.east_m + EAST_M, HEIGHT_M, wait=False)


def error_m(leader: Robot, follower: Robot) -> float:
    """How far the follower is from beside the leader, by what both say."""
    first, second = leader.state, follower.state
    return math.hypot(
        (second.north_m or 0.0) - (first.north_m or 0.0),
        (second.east_m or 0.0) - (first.east_m or 0.0) - EAST_M,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
