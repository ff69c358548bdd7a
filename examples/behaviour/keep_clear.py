"""A behaviour that sees: wanders through rooms and turns away from what its lidar meets.

Connect to sim:hector@arena, wait for the GPS fix, take off, and have Lapwing run it (Guided flight,
Behaviour, Script). In sim:hector@office there is no GPS, and an automatic take-off drifts into a
wall: take off by hand there. Only its steering is tested, no whole flight through rooms.
It flies ahead, and away from whatever is nearer than its distance; ahead blocked, it turns to the
freer side. If it ends, the stream of sticks stops and the aircraft's failsafe acts. Touch any stick
to take over.
"""

import sys

import numpy as np

from telemetry.robot.script_moment import ScriptMoment, read_moments, sticks_line
from telemetry.streams.samples import ScanSample, StreamKind, ray_directions

CLEAR_M = 2.0
AHEAD, AWAY, TURN = 0.08, 0.15, 0.4


def main() -> None:
    last: dict[str, float] = {}
    for moment in read_moments(sys.stdin):
        last = steered(moment) or last
        print(sticks_line(**last), flush=True)


def steered(moment: ScriptMoment) -> dict[str, float] | None:
    """Where the sticks shall be after a scan; None without one."""
    for name, sample in moment.samples.items():
        description = moment.descriptions[name]
        if isinstance(sample, ScanSample) and description.kind is StreamKind.SCANS:
            return away(ray_directions(description)[:, :2], sample.ranges_m)
    return None


def away(directions: np.ndarray, ranges_m: np.ndarray) -> dict[str, float]:
    """Ahead, away from what is near, and to the freer side where ahead is blocked."""
    range_m = np.nan_to_num(ranges_m, nan=30.0)
    near = np.clip((CLEAR_M - range_m) / CLEAR_M, 0.0, 1.0)
    forward, right = -AWAY * np.tanh(near @ directions / 20.0)
    is_ahead = directions[:, 0] > 0.9
    if range_m[is_ahead].min() > CLEAR_M:
        return {"roll": right, "pitch": -(forward + AHEAD)}
    is_right = directions[:, 1] > 0.0
    freer = 1.0 if range_m[is_right].mean() > range_m[~is_right].mean() else -1.0
    return {"roll": right, "pitch": -forward, "yaw": TURN * freer}


if __name__ == "__main__":
    main()
