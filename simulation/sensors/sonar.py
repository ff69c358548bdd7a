"""Ultrasonic range finder: a cone of rays, the nearest echo counts (seeds 001, 3.3, and 002).

The rays are one in the centre and some cones around it, given by PARAMETERS. A surface that is met
too slantingly sends no echo back: a ray d that meets the normal N is dropped if acos(-N d) exceeds
the limit, the ray in the centre included. (As printed, seed 002 drops the smaller angles.)
Over flat ground N points up, so -N d is the ray's share down. In a world each ray meets its
nearest triangle, N being that side of it which the ray meets.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import reals_at
from simulation.mathematics.rotation import clamp, to_body, to_ned
from simulation.records.flight import ATTITUDE, POSITION
from simulation.records.sensor_table import SONAR
from simulation.sensors.error_model import measured
from simulation.worlds.ray_casting import PLANE_NUMBERS, nearest_hit


def cone_of_rays(half_angle_rad: float, cones: int, traces: int) -> npt.NDArray[np.float64]:
    """(1 + cones x traces, 3): the line of sight, x, and rays evenly on cones around it."""
    rays = [(1.0, 0.0, 0.0)]
    for cone in range(1, cones + 1):
        tilt = half_angle_rad * cone / cones
        for trace in range(traces):
            turn = 2.0 * math.pi * trace / traces
            across = math.sin(tilt)
            rays.append((math.cos(tilt), across * math.cos(turn), across * math.sin(turn)))
    return np.array(rays)


@njit_part
def nearest_echo(p: Any, height_m: float, down: tuple[float, float, float]) -> float:
    """The shortest range in metres at this height above flat ground, `down` being the body axes'
    shares of down; the longest the sensor knows if no ray comes back."""
    shortest = p["sonar_limits"][1]
    for i in range(p["sonar_rays"]):
        ray = p["sonar_ray"][i]
        steep = ray[0] * down[0] + ray[1] * down[1] + ray[2] * down[2]
        if steep >= p["sonar_incidence"]:
            shortest = min(shortest, height_m / steep)
    return float(shortest)


@njit_part
def echo_of_surfaces(p: Any, s: Any, grid: Any) -> float:
    """The shortest range in metres to the triangles of a world."""
    x = s["motion"]
    q, place = x[ATTITUDE : ATTITUDE + 4], p["sonar_position"]
    offset = to_ned(q, place[0], place[1], place[2])
    shortest = p["sonar_limits"][1]
    for i in range(p["sonar_rays"]):
        ray = p["sonar_ray"][i]
        way = to_ned(q, ray[0], ray[1], ray[2])
        start = (x[POSITION] + offset[0], x[POSITION + 1] + offset[1], x[POSITION + 2] + offset[2])
        line = (start[0], start[1], start[2], way[0], way[1], way[2])
        found, item = nearest_hit(grid, line, shortest)
        if item >= 0:
            planes, k = reals_at(grid["planes"]), item * PLANE_NUMBERS
            steep = planes[k] * way[0] + planes[k + 1] * way[1] + planes[k + 2] * way[2]
            if abs(steep) >= p["sonar_incidence"]:
                shortest = found
    return float(shortest)


@njit_shared
def measure_range(p: Any, s: Any, slot: Any) -> None:
    """Range in metres, between the least and the most the sensor shows."""
    q, place = s["motion"][ATTITUDE : ATTITUDE + 4], p["sonar_position"]
    offset = to_ned(q, place[0], place[1], place[2])
    height = max(-s["motion"][POSITION + 2] - offset[2], 0.0)
    low, high = p["sonar_limits"][0], p["sonar_limits"][1]
    found = s["echo"]
    if s["in_world"] == 0:
        found = nearest_echo(p, height, to_body(q, 0.0, 0.0, 1.0))
    if found < high:
        found = measured(p, s, SONAR, 0, found)
    slot[0] = clamp(found, low, high)
