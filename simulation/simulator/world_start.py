"""Start pose in a world: on feet on what is below, along a slope, or held in a hand above it."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simulation.environment.earth import gravity_at
from simulation.mathematics.rotation import euler_of, set_euler, to_body, to_ned
from simulation.records.flight import ATTITUDE, POSITION

if TYPE_CHECKING:
    from simulation.simulator.flown_world import FlownWorld


def start_in_world(flight: Any, world: "FlownWorld", height_m: float) -> None:
    """Move a FLIGHT record at time 0 from the origin to the start of a world. `height_m` is that of
    its middle above level ground."""
    p, s = flight["parameters"], flight["state"]
    north, east, down = world.start.position_m
    yaw = math.radians(world.start.heading_deg)
    ground = world.ground_below(north, east, down)
    if math.isinf(ground):
        ground = down
    s["in_world"], s["ground"] = 1, ground
    s["hull_part"] = -1
    motion, q = s["motion"], s["motion"][ATTITUDE : ATTITUDE + 4]
    motion[POSITION : POSITION + 3] = (north, east, ground - height_m)
    set_euler(q, 0.0, float(p["launch_pitch"]), yaw)
    if p["launch_height"] == 0.0:
        _stand(p, motion, world)
    s["contact_place"] = math.inf  # its points begin in its middle
    s["specific_force"] = to_body(q, 0.0, 0.0, -gravity_at(s))
    flight["output"]["true_position"] = motion[POSITION : POSITION + 3]
    flight["output"]["true_quaternion"] = q
    flight["output"]["true_altitude_m"] = flight["world"]["altitude"] - motion[POSITION + 2]


def _stand(p: Any, motion: Any, world: "FlownWorld") -> None:
    """Turn it so that its feet fit what is below, and lower it until the first stands."""
    q = motion[ATTITUDE : ATTITUDE + 4]
    feet = p["point"][: int(p["foot_count"])].tolist()
    yaw = euler_of(q)[2]
    gaps = _gaps(p, motion, world)
    if len(feet) > 2 and all(map(math.isfinite, gaps)):
        ahead, aside = _slopes(feet, [gap + foot[2] for gap, foot in zip(gaps, feet, strict=True)])
        roll = math.asin(aside / math.sqrt(1.0 + ahead * ahead + aside * aside))
        set_euler(q, roll, -math.atan(ahead), yaw)
        gaps = _gaps(p, motion, world)
    lowest = min(gaps)
    if math.isfinite(lowest):
        motion[POSITION + 2] += lowest + p["contact_depth"]


def _gaps(p: Any, motion: Any, world: "FlownWorld") -> list[float]:
    """How far each foot is above what is below it, in metres; negative in it."""
    q, place = motion[ATTITUDE : ATTITUDE + 4], motion[POSITION : POSITION + 3]
    gaps = []
    for foot in p["point"][: int(p["foot_count"])]:
        north, east, down = (place + to_ned(q, *foot)).tolist()
        gaps.append(world.ground_below(north, east, down - float(p["contact_reach"])) - down)
    return gaps


def _slopes(feet: Sequence[Sequence[float]], depths: Sequence[float]) -> tuple[float, float]:
    """How much deeper it gets ahead and to the right, by least squares."""
    n = len(feet)
    x0, y0, z0 = sum(f[0] for f in feet) / n, sum(f[1] for f in feet) / n, sum(depths) / n
    rows = [(f[0] - x0, f[1] - y0, z - z0) for f, z in zip(feet, depths, strict=True)]
    xx, xy, yy = (
        sum(x * x for x, _, _ in rows),
        sum(x * y for x, y, _ in rows),
        sum(y * y for _, y, _ in rows),
    )
    xz, yz = sum(x * z for x, _, z in rows), sum(y * z for _, y, z in rows)
    scale = xx * yy - xy * xy
    if scale <= 0.0:
        return 0.0, 0.0
    return (xz * yy - yz * xy) / scale, (yz * xx - xz * xy) / scale
