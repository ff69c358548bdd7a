"""Scanning lidars: one plane or many, a sector or a full turn; see `echoes` for what comes back.

Half of the pulses come back at `reach_m` from a white surface met squarely, nearer from what is
dark or met at a glancing angle.
"""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.program_record import ProgramCall
from simulation.files.parameter_file import NumberKey, Schema
from simulation.mathematics.random_numbers import MOST_NORMAL
from simulation.perception.echoes import ECHOES, hear_echoes
from simulation.perception.ray_sweep import RaySweep
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from telemetry.protocol.streams.samples import MOST_RAYS, ScanSample, StreamKind

Array = npt.NDArray[np.float64]

LIDAR_KEYS: Final[Schema] = {
    "rays": NumberKey(1, 100_000, whole=True),
    "first_deg": NumberKey(-360.0, 360.0),
    "last_deg": NumberKey(-360.0, 360.0),
    "elevation_deg": NumberKey(-90.0, 90.0, (-1,), default=[0.0]),
    "sweep_ms": NumberKey(0.0, 10_000.0),
    "beam_interval_us": NumberKey(0.0, 10_000.0, default=0.0),
    "least_m": NumberKey(0.0, 1000.0),
    "longest_m": NumberKey(0.01, 10_000.0),
    "noise_m": NumberKey(0.0, 10_000.0, (-1, 2), default=[[0.0, 0.0]]),
    "resolution_m": NumberKey(1e-6, 10.0, default=1e-3),
    "reach_m": NumberKey(0.01, 1e6),
    "fade": NumberKey(0.0, 10.0, default=0.5),
}
"""Each of `rays` directions, from the first azimuth (clockwise from above) to the last, has a ray
at every elevation (upwards), one `beam_interval_us` after the other, while it goes on turning;
`sweep_ms` lie between the first direction and the last. `noise_m` are rows of distance and standard
deviation, with straight lines between them."""
LIDAR_FAULTS: Final[Schema] = {"ray_loss": NumberKey(0.0, 1.0, default=0.0)}
"""The share of rays that never come back, for no reason."""


class Lidar:
    """Sends ranges, NaN for rays without return, and intensities: reflectivity times the cosine of
    incidence.

    Truth, a row a ray: `range_m`, inf where there is nothing up to `longest_m`; `triangle` of the
    scene, -1 for none; `origin_m` and `direction`, NED, at the instant of that ray.
    """

    def __init__(self, settings: SensorSettings, surroundings: Surroundings) -> None:
        _check(settings)
        values = settings.values
        directions, after_us = _rays(settings)
        place = np.array(settings.mount.position_m)
        turn = np.array(settings.attitude_q_wxyz)
        self._sweep = RaySweep(directions, after_us, place, turn)
        self._rays, self._surfaces = surroundings.rays, surroundings.surfaces
        self._longest_m = float(values["longest_m"])
        noise = np.array(values["noise_m"], np.float64)
        numbers = {
            "count": len(directions),
            "least": values["least_m"],
            "longest": self._longest_m,
            "resolution": values["resolution_m"],
            "reach": values["reach_m"],
            "fade": values["fade"],
            "certain": math.exp(MOST_NORMAL * float(values["fade"])),
            "noise_rows": len(noise),
            "surfaces": self._surfaces.memory,
        }
        self._hear = ProgramCall(hear_echoes, ECHOES, numbers, {"noise": noise})
        self.lasts_us = self._sweep.lasts_us
        self.description = settings.describe(
            StreamKind.SCANS,
            {
                "directions": directions.round(9).tolist(),
                "after_us": after_us.tolist(),
                "least_m": float(values["least_m"]),
                "longest_m": self._longest_m,
            },
        )

    def take(self, moment: SensorMoment) -> SensorReading:
        """One scan."""
        origins, directions = self._sweep.of(moment.motion)
        hit = self._rays.first_triangles(origins, directions, self._longest_m)
        true, measured, brightness = np.empty((3, len(origins)))
        arrays = {
            "origins": origins,
            "directions": directions,
            "triangle": hit.astype(np.int64),
            "range_m": true,
            "measured_m": measured,
            "brightness": brightness,
        }
        self._hear.run(_numbers_of(moment), arrays)
        sample = ScanSample(
            moment.stamp_us,
            moment.number,
            measured.astype(np.float32),
            brightness.astype(np.float32),
        )
        truth: dict[str, npt.NDArray[Any]] = {
            "range_m": true,
            "triangle": arrays["triangle"],
            "origin_m": origins,
            "direction": directions,
        }
        return SensorReading(sample, truth)


def _numbers_of(moment: SensorMoment) -> dict[str, Any]:
    """What a scan takes from its moment."""
    faults = moment.faults
    return {
        "seed": moment.seed,
        "stream": moment.stream,
        "scale": faults["scale"],
        "bias": faults["bias_m"],
        "ray_loss": faults["ray_loss"],
    }


def _check(settings: SensorSettings) -> None:
    """Raise ParameterError for keys that do not go together."""
    values = settings.values
    settings.check_reach()
    if not values["elevation_deg"]:
        what = "'elevation_deg' is empty: there would be no rays."
        raise settings.error("elevation_deg", what, "Give [0.0] for a single plane.")
    if values["rays"] * len(values["elevation_deg"]) > MOST_RAYS:
        what = f"A scan would have more than {MOST_RAYS} rays."
        raise settings.error("rays", what, "Lower 'rays' or give fewer elevations.")
    _check_times(settings)
    distances = [row[0] for row in values["noise_m"]]
    if not distances or distances != sorted(set(distances)):
        what = "The distances of 'noise_m' do not ascend."
        raise settings.error("noise_m", what, "Give rows [distance, deviation] in their order.")


def _check_times(settings: SensorSettings) -> None:
    """Raise ParameterError where rays would be sent before those that come before them."""
    values = settings.values
    turns_ms, period_ms = values["sweep_ms"], 1000.0 / values["rate_hz"]
    fires_ms = 1e-3 * values["beam_interval_us"] * (len(values["elevation_deg"]) - 1)
    if turns_ms + fires_ms > period_ms:
        what = "'sweep_ms' is longer than the time from one scan to the next."
        raise settings.error("sweep_ms", what, f"Give at most {period_ms - fires_ms:g}.")
    if fires_ms and fires_ms * (values["rays"] - 1) > turns_ms:
        what = "The beams of one direction take longer than the way to the next."
        raise settings.error("beam_interval_us", what, "Lower it, or 'rays'.")


def _rays(settings: SensorSettings) -> tuple[Array, Array]:
    """Directions (n, 3) in the sensor's axes and times (n,) in whole microseconds."""
    values = settings.values
    count, elevation = int(values["rays"]), np.radians(values["elevation_deg"])
    first_deg, last_deg, sweep_us = (
        values["first_deg"],
        values["last_deg"],
        1e3 * values["sweep_ms"],
    )
    beam_us = float(values["beam_interval_us"]) * np.arange(len(elevation))
    per_us = (last_deg - first_deg) / sweep_us if sweep_us else 0.0
    azimuth = np.linspace(first_deg, last_deg, count)[:, None] + per_us * beam_us
    after_us = np.linspace(0.0, sweep_us, count)[:, None] + beam_us
    turned, raised = np.radians(azimuth).ravel(), np.tile(elevation, count)
    directions = np.stack(
        [np.cos(raised) * np.cos(turned), np.cos(raised) * np.sin(turned), -np.sin(raised)], 1
    )
    return directions, after_us.ravel().round()
