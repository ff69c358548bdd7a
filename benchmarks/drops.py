"""Random drops into worlds: what contact does to bodies without air and motors.

`python -m benchmarks.drops --world arena --aircraft ar100b --count 500 --seed 1` lets an aircraft
fall, or be thrown at 15 to 30 m/s, beside random corners and faces of a world, turned and turning
at random, and judges what becomes of it from outside (`benchmarks.solid`). Without a name it takes
every world and level ground without one, and four aircraft. 1 if something is beyond its bar.

Energy is that of motion, turning and height, and of the springs of the contact. Nothing but
contact can take of it, and nothing may add to it: a gain is what it rises above its lowest so far.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.solid import SolidJudge
from simulation.aircraft.aircraft import load_aircraft
from simulation.environment.earth import GRAVITY
from simulation.physics.hull_shape import set_hull
from simulation.records.flight import ATTITUDE, POSITION, RATES, VELOCITY
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.flown_world import FlownWorld, open_world
from telemetry.base.rotations import matrix_of

Array = npt.NDArray[np.float64]

AIRCRAFT = ("ar100b", "crazyflie", "ar200", "sea-vixen")
LEVEL = "level"
"""The ground of a simulator that is in no world."""
WORLDS = (LEVEL, "arena", "corridor", "office", "field", "village")
MOST_GAIN_M = 0.01
"""Of energy, as a height."""
DEEPEST_M = 0.03
"""Of a contact point in a body, at rest."""
_AT_ONCE = 200
_FASTEST_MPS = (15.0, 30.0)
_FAST_SHARE = 0.4
_STEPS = 2500
_ELSE = ("kind", "drag_force", "drag_moment", "rotor_count", "sensor_period", "launch_height")
_REST_MPS, _REST_RADPS = 0.02, 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Drops:
    """What became of n drops, each (n,): the most that energy rose above its lowest (m of height);
    whether the centre of mass came into something; how deep the deepest contact point is in a body
    (m; nan where it still moves)."""

    motion: Array
    gain_m: Array
    came_in: npt.NDArray[np.bool_]
    depth_m: Array
    speed_mps: Array

    def failed(self) -> npt.NDArray[np.bool_]:
        """(n,): which are beyond their bars."""
        return np.asarray(
            (self.gain_m > MOST_GAIN_M) | self.came_in | (np.nan_to_num(self.depth_m) > DEEPEST_M)
        )


class DropPlace:
    """A world, and the aircraft that is dropped in it."""

    def __init__(self, world: str | FlownWorld, aircraft: str) -> None:
        if isinstance(world, str):
            self._world = None if world == LEVEL else open_world(world)
        else:
            self._world = world
        self._judge = SolidJudge(self._world.scene) if self._world else None
        self._kind = load_aircraft(aircraft)
        shape = self._kind.parameters.copy()
        set_hull(shape)
        self._shape: Any = shape
        count = int(shape["point_count"])
        self._points = np.array(shape["point"][:count])
        self._edges = np.array(list(combinations(range(count), 2)))

    def dropped(self, seed: int, count: int, prepare: Any = None, steps: int = _STEPS) -> Drops:
        """Drop it so often, and look at it for so many milliseconds. `prepare` is given the FLIGHT
        records before."""
        random = np.random.default_rng(seed)
        parts = []
        while count > 0:
            n = min(count, _AT_ONCE)
            parts.append(self._fly(random, n, prepare, steps))
            count -= n
        names = ("motion", "gain_m", "came_in", "depth_m", "speed_mps")
        return Drops(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def _fly(self, random: np.random.Generator, count: int, prepare: Any, steps: int) -> Drops:
        starts = np.array([self._start(random) for _ in range(count)])
        is_fast = random.random(count) < _FAST_SHARE
        way = random.normal(size=(count, 3))
        speed = np.where(is_fast, random.uniform(*_FASTEST_MPS, count), 0.0)
        velocity = way * (speed / np.linalg.norm(way, axis=1))[:, None]
        rates = random.normal(size=(count, 3)) * np.where(is_fast, 6.0, 1.0)[:, None]
        with SimulatedFleet([self._kind] * count, seed=1) as fleet:
            for i, simulator in enumerate(fleet.simulators):
                if self._world:
                    simulator.enter(self._world, starts=i == 0)
            records = fleet.records
            records[1:] = records[0]
            _leave_contact_alone(records)
            motion = records["state"]["motion"]
            motion[:, POSITION : POSITION + 3] = starts[:, :3]
            motion[:, ATTITUDE : ATTITUDE + 4] = starts[:, 3:]
            motion[:, VELOCITY : VELOCITY + 3] = velocity
            motion[:, RATES : RATES + 3] = rates
            if prepare is not None:
                prepare(records)
            first = motion.copy()
            gain, came_in = np.full(count, 0.0), np.zeros(count, bool)
            self._watch(fleet, steps, gain, came_in)
            return Drops(first, gain, came_in, self._depths(motion), speed)

    def _watch(self, fleet: SimulatedFleet, steps: int, gain: Array, came_in: Any) -> None:
        state = fleet.records["state"]
        motion = state["motion"]
        mass = float(self._shape["mass"])
        lowest = np.full(len(gain), np.inf)
        before = motion[:, :3].copy()
        for step in range(steps):
            free = _energies(self._shape, motion)
            fleet.advance(1)
            now = free + state["contact_energy"]
            np.maximum(gain, (free - lowest) / (mass * GRAVITY), out=gain)
            np.minimum(lowest, now, out=lowest)
            if step % 4 == 3:
                after = motion[:, :3].copy()
                came_in |= self._is_crossed(before, after)
                if step % 16 == 3 and self._judge:
                    came_in |= self._judge.inside(after)
                before = after

    def _is_crossed(self, before: Array, after: Array) -> Any:
        if self._judge is None:
            return after[:, 2] > 0.0
        return self._judge.crossed(before, after)

    def _depths(self, motion: Array) -> Array:
        """How deep the deepest contact point is; nan for who moves."""
        at_rest = np.linalg.norm(motion[:, VELOCITY : VELOCITY + 3], axis=1) < _REST_MPS
        at_rest &= np.linalg.norm(motion[:, RATES : RATES + 3], axis=1) < _REST_RADPS
        depths = np.full(len(motion), np.nan)
        for i in np.flatnonzero(at_rest):
            depths[i] = self._depth(motion[i])
        return depths

    def _depth(self, motion: Array) -> float:
        places = self._placed(motion[:3], motion[ATTITUDE : ATTITUDE + 4])
        if self._judge is None:
            return float(max(places[:, 2].max(), 0.0))
        is_in = self._judge.inside(places)
        return max((self._judge.distance(p, 1.0) for p in places[is_in]), default=0.0)

    def _placed(self, place: Array, attitude: Array) -> Array:
        """Where its contact points are."""
        return np.asarray(place + self._points @ matrix_of(attitude).T)

    def _start(self, random: np.random.Generator) -> Array:
        """A pose that touches nothing, near to something: place and quaternion (7,)."""
        reach = float(self._shape["contact_reach"])
        while True:
            place = self._near_something(random, reach)
            attitude = random.normal(size=4)
            attitude /= np.linalg.norm(attitude)
            if self._is_free(place, attitude):
                return np.concatenate([place, attitude])

    def _near_something(self, random: np.random.Generator, reach: float) -> Array:
        aside = random.normal(size=3)
        aside *= random.uniform(0.1, 1.0) * (reach + 0.5) / np.linalg.norm(aside)
        if self._world is None or self._judge is None:
            return np.array([0.0, 0.0, -random.uniform(0.0, 2.0)])
        numbers = self._world.scene.segments().numbers
        number = random.choice(np.unique(numbers))
        items = np.flatnonzero(numbers == number)
        corners = self._judge.corners(items[random.integers(len(items), size=1)])[0]
        if number == 0:  # the ground goes on for kilometres
            corners = np.clip(corners, -30.0, 30.0)
        shares = random.dirichlet((0.2, 0.2, 0.2))  # rather at corners and edges
        place = shares @ corners + aside
        return np.asarray(place - (0.0, 0.0, random.uniform(0.0, 1.0)))

    def _is_free(self, place: Array, attitude: Array) -> bool:
        places = self._placed(place, attitude)
        if self._judge is None:
            return bool(places[:, 2].max() < 0.0)
        if self._judge.inside(place[None])[0] or not self._is_above_ground(place):
            return False
        starts = np.concatenate([np.tile(place, (len(places), 1)), places[self._edges[:, 0]]])
        ends = np.concatenate([places, places[self._edges[:, 1]]])
        if self._judge.crossed(starts, ends).any():
            return False
        reach = float(self._shape["contact_reach"])
        corners = self._judge.corners(self._judge.near(place, reach)) - place
        return not self._overlaps(corners @ matrix_of(attitude))

    def _is_above_ground(self, place: Array) -> bool:
        return bool(np.isfinite(self._world.ground_below(*place)) if self._world else True)

    def _overlaps(self, corners: Array) -> bool:
        """Whether an edge of triangles (m, 3, 3), in body axes, is in its hull."""
        planes = np.array(self._shape["hull_plane"][: int(self._shape["hull_plane_count"])])
        start, end = corners.reshape(-1, 3), corners[:, [1, 2, 0]].reshape(-1, 3)
        one = start @ planes[:, :3].T - planes[:, 3]
        two = end @ planes[:, :3].T - planes[:, 3]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = one / (one - two)
        low = np.where((one > 0.0) & (two < 0.0), share, 0.0).max(axis=1)
        high = np.where((one < 0.0) & (two > 0.0), share, 1.0).min(axis=1)
        is_out = ((one >= 0.0) & (two >= 0.0)).any(axis=1)
        return bool((~is_out & (low < high)).any())


def _leave_contact_alone(records: Any) -> None:
    """Take away what else moves it: air, rotors, gravity that varies; and sensors, which take
    time."""
    for name in _ELSE:
        records["parameters"][name] = 0
    records["world"]["gravity_excess"] = records["world"]["gravity_slope"] = 0.0


def _energies(shape: Any, motion: Array) -> Array:
    """As `simulation.physics.invariants.energy_j` of many."""
    velocity, rates = motion[:, VELOCITY : VELOCITY + 3], motion[:, RATES : RATES + 3]
    momentum = shape["inertia"] * rates
    momentum[:, 0] -= float(shape["inertia_xz"]) * rates[:, 2]
    momentum[:, 2] -= float(shape["inertia_xz"]) * rates[:, 0]
    mass = float(shape["mass"])
    moving = 0.5 * mass * (velocity**2).sum(axis=1) + 0.5 * (rates * momentum).sum(axis=1)
    return np.asarray(moving - mass * GRAVITY * motion[:, POSITION + 2])


def main(words: Sequence[str]) -> int:
    """1 if something is beyond its bar."""
    parser = argparse.ArgumentParser("python -m benchmarks.drops", description=__doc__)
    parser.add_argument("--world", action="append", help="again and again for several")
    parser.add_argument("--aircraft", action="append")
    parser.add_argument("--count", type=int, default=500, help="of each aircraft in each world")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    total = failed = 0
    for world, aircraft in product(options.world or WORLDS, options.aircraft or AIRCRAFT):
        start_s = time.process_time()
        drops = DropPlace(world, aircraft).dropped(options.seed, options.count)
        total, failed = total + options.count, failed + int(drops.failed().sum())
        print(f"{world:9} {aircraft:10} {_told(drops)} {time.process_time() - start_s:6.1f} s")
    print(f"{total} drops, {failed} beyond their bars")
    return 1 if failed else 0


def _told(drops: Drops) -> str:
    rest = drops.depth_m[~np.isnan(drops.depth_m)]
    return (
        f"gain {drops.gain_m.max() * 1e2:8.2f} % (m g 1 m), {(drops.gain_m > MOST_GAIN_M).sum():4} "
        f"above; inside {drops.came_in.sum():4}; at rest {len(rest):4}, deepest "
        f"{rest.max(initial=0.0) * 1e3:6.1f} mm, {(rest > DEEPEST_M).sum():3} above"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
