"""A behaviour of your own: flies to home and stays there, with the nose anywhere.

Lapwing runs it as a process (Guided flight, Behaviour, Script). It is told where the aircraft is as
a line of JSON, 20 times a second, and prints where the sticks shall be: roll right, pitch back, yaw
right and throttle, each -1 to 1; in the middle the throttle holds the height. If it ends, the
stream of sticks stops and the aircraft's failsafe acts. Touch any stick to take over.
"""

import json
import math
import sys

PER_M, PER_MPS, MOST = 0.02, 0.08, 0.25


def main() -> None:
    for line in sys.stdin:
        state = json.loads(line)
        north = -PER_M * state["north_m"] - PER_MPS * state["north_mps"]
        east = -PER_M * state["east_m"] - PER_MPS * state["east_mps"]
        yaw = math.radians(state["yaw_deg"])
        forward = north * math.cos(yaw) + east * math.sin(yaw)
        right = east * math.cos(yaw) - north * math.sin(yaw)
        axes = [bounded(right), -bounded(forward), 0.0, 0.0]
        print(json.dumps({"axes": axes}), flush=True)


def bounded(stick: float) -> float:
    return max(-MOST, min(MOST, stick))


main()
