"""World effects on an aircraft besides contact: ground below, wind shelter and zones, sky view.

The sky view is how much of the sky a GPS receiver sees.

**Shelter.** Behind a body the wind is weaker by the share of 35 directions, up to 14 degrees to
either side of where it comes from and 0 to 7 degrees above, in which something stands within 300 m.
Behind a long solid fence, half as high as it, that takes off 80, 40 and 20 % of the wind 5, 10 and
20 heights away; Perera's law (Shelter behind two-dimensional solid and porous fences, J. Wind
Eng. 8, 1981), fitted to a wind tunnel, gives 98, 43 and 18 % for 4 m over grass. Behind a body as
wide as high it fades as the inverse square of the distance; Counihan, Hunt and Jackson (J. Fluid
Mech. 64, 1974) have the power -1.5. In a closed room there is no wind. What a wake adds, turbulence
and backflow, is left out, as is wind that is faster around corners. Gusts and turbulence are
weakened with the wind.

**Sky.** Satellites are spread evenly over the sky above 10 degrees, and those behind something are
lost. What is received by reflection is left out.
"""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Memory, reals_at, record_at
from simulation.records.flight import POSITION
from simulation.worlds.ray_casting import GRID, nearest_hit
from simulation.worlds.world_record import WORLD_RECORD, ZONE_NUMBERS

SHELTER_PERIOD: Final = 100
"""Steps after which shelter is looked for."""
SKY_PERIOD: Final = 250
"""Steps after which satellites are."""
_FAN_WIDE: Final = 7
_FAN_HIGH: Final = 5
_FAN_WIDTH: Final = math.radians(14.0)
_FAN_HEIGHT: Final = math.radians(7.0)
_SHELTER_M: Final = 300.0
_SHELTER_SHARE: Final = 0.2
"""Share of the way to its new value that shelter goes in every change of the air."""
_LEAST_WIND: Final = 0.01  # m/s
_SKY_RINGS: Final = 4
_SKY_AROUND: Final = 8
_LOWEST_SINE: Final = math.sin(math.radians(10.0))
_SKY_M: Final = 1000.0
_DOWN_M: Final = 1e5


@njit_part
def grid_of(world: Memory) -> Any:
    """The triangles."""
    return record_at(record_at(world, WORLD_RECORD)["grid"], GRID)


@njit_part
def find_ground(s: Any, world: Memory) -> None:
    """Set STATE.ground to what is below; where nothing is, it stays what it was."""
    x = s["motion"]
    ray = (x[POSITION], x[POSITION + 1], x[POSITION + 2], 0.0, 0.0, 1.0)
    reach, item = nearest_hit(grid_of(world), ray, _DOWN_M)
    if item >= 0:
        s["ground"] = x[POSITION + 2] + reach


@njit_part
def shelter_air(s: Any, world: Memory, step: int) -> None:
    """Weaken STATE.wind by what stands in its way, and give it the velocity of its zone."""
    wind = s["wind"]
    if step % SHELTER_PERIOD == 0:
        s["shelter_found"] = _shelter(s, grid_of(world))
        if step == 0:
            s["shelter"] = s["shelter_found"]
    s["shelter"] += _SHELTER_SHARE * (s["shelter_found"] - s["shelter"])
    for i in range(3):
        wind[i] *= 1.0 - s["shelter"]
    _enter_zones(s, record_at(world, WORLD_RECORD))


@njit_part
def _shelter(s: Any, grid: Any) -> float:
    """The share of the wind that is taken away."""
    x, wind = s["motion"], s["wind"]
    speed = math.sqrt(wind[0] * wind[0] + wind[1] * wind[1])
    if not _LEAST_WIND <= speed < math.inf:  # one that is no number ends the flight, not the ray
        return float(s["shelter_found"])
    north, east = -wind[0] / speed, -wind[1] / speed
    met = 0
    for i in range(_FAN_WIDE):
        side = _FAN_WIDTH * ((2.0 * i + 1.0) / _FAN_WIDE - 1.0)
        a, b = math.cos(side), math.sin(side)
        for j in range(_FAN_HIGH):
            up = _FAN_HEIGHT * (j + 0.5) / _FAN_HIGH
            level, steep = math.cos(up), -math.sin(up)
            way = (level * (a * north - b * east), level * (b * north + a * east), steep)
            ray = (x[POSITION], x[POSITION + 1], x[POSITION + 2], way[0], way[1], way[2])
            _, item = nearest_hit(grid, ray, _SHELTER_M)
            if item >= 0:
                met += 1
    return met / (_FAN_WIDE * _FAN_HIGH)


@njit_part
def _enter_zones(s: Any, world: Any) -> None:
    zones = reals_at(world["zones"])
    x, wind = s["motion"], s["wind"]
    for zone in range(world["zone_count"]):
        first = zone * ZONE_NUMBERS
        share = 1.0
        for i in range(3):
            outside = abs(x[POSITION + i] - zones[first + i]) - zones[first + 3 + i]
            if outside > 0.0:
                share *= max(1.0 - outside / max(zones[first + 9], 1e-6), 0.0)
        for i in range(3):
            wind[i] += share * (zones[first + 6 + i] - wind[i])


@njit_part
def _sky_way(ring: int, i: int) -> tuple[float, float, float]:
    sine = _LOWEST_SINE + (1.0 - _LOWEST_SINE) * (ring + 0.5) / _SKY_RINGS
    level = math.sqrt(1.0 - sine * sine)
    turn = 2.0 * math.pi * (i + 0.5 * (ring % 2)) / _SKY_AROUND
    return level * math.cos(turn), level * math.sin(turn), -sine


def sky_ways() -> npt.NDArray[np.float64]:
    """Where satellites are looked for: directions (n, 3), NED."""
    return np.array([_sky_way(ring, i) for ring in range(_SKY_RINGS) for i in range(_SKY_AROUND)])


@njit_part
def look_at_sky(s: Any, world: Memory) -> None:
    """Set STATE.sky_covered, the share of the satellites that something hides."""
    grid, x = grid_of(world), s["motion"]
    met = 0
    for ring in range(_SKY_RINGS):
        for i in range(_SKY_AROUND):
            way = _sky_way(ring, i)
            ray = (x[POSITION], x[POSITION + 1], x[POSITION + 2], way[0], way[1], way[2])
            _, item = nearest_hit(grid, ray, _SKY_M)
            if item >= 0:
                met += 1
    s["sky_covered"] = met / (_SKY_RINGS * _SKY_AROUND)
