"""B7, the lidar's part: an office mapped in flight, by matching scans.

As in seed 001 (section 4.1, figure 5) a quadrotor with a UTM-30LX is flown by sticks through an
office, and a map is drawn of what its lidar meets. There is no GPS: who flies sees the map, and
where in it the aircraft is (`simulation/scenarios/lidar_pose.py`), by the scans and by what the
board says of its attitude. The nose points 45 degrees aside of its way: so it is narrower by a
third in a door. The first pose is known.

What comes out is compared with the world's triangles at the scanner's height, of which the map
knows nothing, and the pose with the truth. `found_share` is of what a map of the same scans from
true places has.
"""

import hashlib
import math
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.autopilot.autopilot import LOOP_US
from simulation.mathematics.rotation import euler_of
from simulation.perception.floor_plan import (
    distances,
    floor_plan,
    nearest_distances,
    points_along,
)
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.scan_map import placed
from simulation.perception.suite import PerceptionSuite
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.experiments.carried_lidar import CELL_M, FOUND_M, mapped, within
from simulation.scenarios.figure import Figure, Style, from_above
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.lidar_pose import LidarPose, LidarScanner, PlacedScan, level_points
from simulation.scenarios.measures import rms
from simulation.scenarios.route_by_sticks import RouteBySticks
from simulation.scenarios.scenario import ScenarioError
from simulation.scenarios.several_seeds import fly_seeds
from simulation.worlds.scene import WorldScene
from telemetry.base.rotations import matrix_by_angles
from telemetry.protocol.streams.samples import ScanSample, ray_directions

Array = npt.NDArray[np.float64]

_STOPS: Final = (
    *((-8.0, 0.0), (-7.7, 0.0), (-7.7, -4.0), (-7.7, 0.0), (-4.7, 0.0), (-4.7, 4.5), (-4.7, 0.0)),
    *((-1.1, 0.0), (-1.1, -4.0), (-1.1, 0.0), (2.1, 0.0), (2.1, 2.4), (2.1, 0.0)),
    *((2.9, 0.0), (2.9, -4.5), (2.9, 0.0), (8.6, 0.0), (8.6, 4.5), (8.6, -4.5)),
)
"""North and east, through the doors of the office, from where it stands."""
_HEADING_RAD: Final = math.radians(45.0)
_HEIGHT_M: Final = 1.3
_RANGE_FINDER_M: Final = 0.012
"""Below the centre of mass."""
_HIGH_ENOUGH_M: Final = 1.0
_LEAVES_S: Final = 5.0
"""After it has begun to climb."""
_FAR_M: Final = 5.0
"""What is farther away is no part of the map: a degree of tilt is 9 cm of height here, and a
table is 39 cm below."""
_SLICE_M: Final = 0.2
"""Scans from so much higher or lower are no part of the map."""


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """Flies it, draws the map, compares."""
    world = experiment.flown_world
    if world is None:
        raise ScenarioError("There is nothing to map; give the scenario a world.")
    flight = experiment.flight()
    tour = _Tour(experiment, flight, world.scene)
    tour.fly()
    if not tour.pose.scans:
        return RunOutcome(
            {},
            log_hash=tour.digest(),
            script=flight.script_failure(),
            diverged=flight.diverged,
        )
    truth = floor_plan(world.scene, -_HEIGHT_M)
    walls = _drawn(tour.scanner, tour.pose.scans)
    known = _drawn(tour.scanner, tour.true_scans)
    off = distances(walls, truth)
    seen = points_along(within(truth), CELL_M)
    seen = seen[nearest_distances(seen, known) < FOUND_M]
    away = np.array(
        [scan.pose - true.pose for scan, true in zip(tour.pose.scans, tour.true_scans, strict=True)]
    )
    turned = (away[:, 2] + math.pi) % (2.0 * math.pi) - math.pi
    metrics = {
        "wall_rms_m": rms(off),
        "wall_error_m": float(np.percentile(off, 95.0)),
        "found_share": float(np.mean(nearest_distances(seen, walls) < FOUND_M)),
        "place_error_m": float(np.hypot(*away[:, :2].T).max()),
        "place_rms_m": rms(np.hypot(*away[:, :2].T)),
        "heading_error_deg": math.degrees(float(np.abs(turned).max())),
        "stops_left": float(tour.stops_left),
        "scans": float(len(tour.pose.scans)),
    }
    figure = _draw(walls, truth, tour)
    return RunOutcome(
        metrics,
        figure,
        tour.digest(),
        tour.has_touched or flight.has_crashed,
        flight.script_failure() if tour.stops_left else "",  # its last step is cut off at the end
        flight.diverged,
    )


class _Tour:
    """The flight: scripted until it is armed, then by sticks along the stops."""

    def __init__(self, experiment: Experiment, flight: SimulatedFlight, scene: WorldScene) -> None:
        values = experiment.values
        self._flight = flight
        self._output = flight.aircraft.simulator.output
        mount = next(m for m in experiment.preset().load_aircraft().mounts if m.name == "lidar")
        changes = {name: values[name] for name in ("rate_hz", "clock_offset_ms")}
        suite = PerceptionSuite(
            flight.aircraft.simulator, scene, [replace(mount, changes={**mount.changes, **changes})]
        )
        suite.subscribe(self._hear)
        (description,) = suite.descriptions
        self.scanner = LidarScanner(
            ray_directions(description) @ matrix_by_angles(*mount.attitude_deg).T,
            np.array(description.details["after_us"]) / 1e6,
            np.array(mount.position_m),
        )
        stops = np.array(_STOPS[: int(values["stops"])])
        self.pose = LidarPose(
            self.scanner, np.array([*stops[0], 0.0]), is_matching=values["matching"] != 0.0
        )
        settings = flight.aircraft.board["StabilizationSettingsBank1"]
        self._route = RouteBySticks(
            stops, values["speed_mps"], _HEADING_RAD, _HEIGHT_M, float(settings.row["RollMax"])
        )
        self._arrived: list[ScanSample] = []
        self.true_scans: list[PlacedScan] = []
        self.has_touched = False

    @property
    def stops_left(self) -> int:
        """How many stops it has not come to."""
        return self._route.stops_left

    def fly(self) -> None:
        """To the last stop, or until it touches something, or the script fails."""
        flight, is_up, since_s = self._flight, False, 0.0
        dt_s = LOOP_US / 1e6
        while not (flight.is_done or self._route.is_done or self.has_touched):
            flight.run_loop()
            pilot = flight.pilot
            is_flown = pilot is not None and pilot.step_index == len(flight.steps) - 1
            since_s += dt_s if is_flown else 0.0
            if is_flown:
                self.pose.go_on(self._output, dt_s)
            else:
                self.pose.stand(self._output)
            self._take_scans(is_standing=not is_flown)
            if pilot is None or not is_flown:
                continue
            height_m = float(self._output["sonar_range_m"]) + _RANGE_FINDER_M
            is_up = is_up or height_m > _HIGH_ENOUGH_M
            touches = bool(flight.aircraft.simulator.record["state"]["touches_surface"])
            self.has_touched = is_up and touches
            place, velocity_mps = self.pose.pose, self.pose.velocity_mps
            is_leaving = since_s > _LEAVES_S
            pilot.steer(
                self._route.sticks(place, velocity_mps, height_m, dt_s, is_leaving=is_leaving)
            )

    def digest(self) -> str:
        """SHA-256 over what the lidar saw and where it was thought to be."""
        found = hashlib.sha256()
        for scan in self.pose.scans:
            found.update(scan.sample.ranges_m.tobytes() + scan.pose.tobytes())
        return found.hexdigest()

    def _hear(self, each: SuiteSample) -> None:
        if isinstance(each.sample, ScanSample):
            self._arrived.append(each.sample)

    def _take_scans(self, *, is_standing: bool) -> None:
        output, now_s = self._output, self._flight.aircraft.now_s
        for sample in self._arrived:
            height_m = float(output["sonar_range_m"]) + _RANGE_FINDER_M
            self.pose.take(sample, output, (now_s, height_m), is_standing=is_standing)
            attitude = output["true_quaternion"].tolist()
            place = output["true_position"].tolist()
            self.true_scans.append(
                PlacedScan(
                    sample,
                    np.array([*place[:2], euler_of(attitude)[2]]),
                    output["true_velocity"][:2].copy(),
                    tuple(attitude),
                    math.radians(float(output["true_rates"][2])),
                    now_s,
                    -place[2],
                )
            )
        self._arrived.clear()


def _drawn(scanner: LidarScanner, scans: list[PlacedScan]) -> Array:
    """The map (n, 2) of the scans at its height, from the poses that they have."""
    points = []
    for scan in scans:
        if abs(scan.height_m - _HEIGHT_M) > _SLICE_M:
            continue
        met = level_points(scanner, scan)
        points.append(placed(met[np.hypot(*met.T) < _FAR_M], scan.pose))
    return mapped(np.concatenate(points))


def _draw(walls: Array, truth: Array, tour: _Tour) -> Figure:
    gaps = np.full((len(truth), 1, 2), np.nan)
    ways = {
        "walls of the world": np.concatenate([truth, gaps], axis=1).reshape(-1, 2),
        "mapped": walls,
        "flown": np.array([scan.pose[:2] for scan in tour.true_scans]),
        "by its scans": np.array([scan.pose[:2] for scan in tour.pose.scans]),
    }
    styles: dict[str, Style] = {"mapped": "dots", "by its scans": "dashed"}
    return Figure("An office, by lidar in flight", (from_above("Map", ways, styles),))
