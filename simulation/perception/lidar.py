"""Scanning lidars: one plane or many, a sector or a full turn.

A pulse comes back if what the receiver gets of it is enough. That is proportional to reflectivity
and the cosine of incidence and falls with the square of the distance; relative to what is needed it
is s = reflectivity x cos(incidence) x (reach / distance)^2, and the pulse is heard if
ln s + fade x n > 0 with a standard normal n for each ray: half of them at `reach_m` from a white
surface met squarely, nearer for what is dark or met at a glancing angle. Reflectivity is that of
the surface's colour, as no world says more.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.parameter_file import NumberKey, Schema
from simulation.perception.range_faults import with_faults
from simulation.perception.ray_sweep import RaySweep
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from simulation.worlds.rays import RayHits
from telemetry.streams.samples import MOST_RAYS, ScanSample, StreamKind

Array = npt.NDArray[np.float64]

LIDAR_KEYS: Final[Schema] = {
    "rays": NumberKey(1, 100_000, whole=True),
    "first_deg": NumberKey(-360.0, 360.0),
    "last_deg": NumberKey(-360.0, 360.0),
    "elevation_deg": NumberKey(-90.0, 90.0, (-1,), default=[0.0]),
    "sweep_ms": NumberKey(0.0, 10_000.0),
    "least_m": NumberKey(0.0, 1000.0),
    "longest_m": NumberKey(0.01, 10_000.0),
    "noise_m": NumberKey(0.0, 10_000.0, (-1, 2), default=[[0.0, 0.0]]),
    "resolution_m": NumberKey(1e-6, 10.0, default=1e-3),
    "reach_m": NumberKey(0.01, 1e6),
    "fade": NumberKey(0.0, 10.0, default=0.5),
}
"""Each of `rays` directions, from the first azimuth (clockwise from above) to the last, has a ray
at every elevation (upwards); `sweep_ms` lie between the first and the last. `noise_m` are rows of
distance and standard deviation, with straight lines between them."""
LIDAR_FAULTS: Final[Schema] = {"ray_loss": NumberKey(0.0, 1.0, default=0.0)}
"""The share of rays that never come back, for no reason."""
_SCREEN_GAMMA = 2.2
_LEAST_SIGNAL = 1e-12


class Lidar:
    """Sends ranges, NaN for rays without return, and intensities: reflectivity times the cosine of
    incidence.

    Truth, a row a ray: `range_m`, inf where there is nothing up to `longest_m`; `triangle` of the
    scene, -1 for none; `origin_m` and `direction`, NED, at the instant of that ray.
    """

    def __init__(self, settings: SensorSettings, surroundings: Surroundings) -> None:
        _check(settings)
        self._values = values = settings.values
        self._noise = np.array(values["noise_m"], np.float64)
        directions, after_us = _rays(settings)
        self._sweep = RaySweep(directions, after_us)
        self._rays = surroundings.rays
        self.lasts_us = self._sweep.lasts_us
        self.description = settings.describe(
            StreamKind.SCANS,
            {
                "directions": directions.round(9).tolist(),
                "after_us": after_us.tolist(),
                "longest_m": float(values["longest_m"]),
            },
        )

    def take(self, moment: SensorMoment) -> SensorReading:
        """One scan."""
        origins, directions = self._sweep.of(moment)
        hits = self._rays.cast(origins, directions, float(self._values["longest_m"]))
        brightness = self._brightness(hits, directions)
        random = moment.random()
        noise, luck = random.standard_normal((2, len(directions)), np.float32)
        ranges = self._measured(hits.range_m, noise, moment)
        heard = self._is_heard(hits.range_m, brightness, luck)
        if moment.faults["ray_loss"]:
            heard &= random.random(len(ranges)) >= moment.faults["ray_loss"]
        ranges[~heard] = np.nan
        intensities = np.where(heard, brightness, 0.0).astype(np.float32)
        sample = ScanSample(moment.stamp_us, moment.number, ranges.astype(np.float32), intensities)
        truth: dict[str, npt.NDArray[Any]] = {
            "range_m": hits.range_m,
            "triangle": hits.triangle,
            "origin_m": origins,
            "direction": directions,
        }
        return SensorReading(sample, truth)

    def _brightness(self, hits: RayHits, directions: Array) -> Array:
        """(n,): how much of a pulse each surface sends back, 0 to 1."""
        reflectivity = self._rays.colours(hits).mean(axis=1) ** _SCREEN_GAMMA
        incidence = -np.einsum("ij,ij->i", hits.normal, directions)
        return np.asarray(np.clip(reflectivity * incidence, 0.0, 1.0))

    def _measured(
        self, true_m: Array, noise: npt.NDArray[np.float32], moment: SensorMoment
    ) -> Array:
        values = self._values
        near = np.where(np.isfinite(true_m), true_m, 0.0)
        spread = np.interp(near, self._noise[:, 0], self._noise[:, 1])
        measured = with_faults(np.asarray(true_m + spread * noise), moment)
        measured = np.rint(measured / values["resolution_m"]) * values["resolution_m"]
        outside = ~((measured >= values["least_m"]) & (measured <= values["longest_m"]))
        measured[outside] = np.nan
        return np.asarray(measured)

    def _is_heard(
        self, true_m: Array, brightness: Array, luck: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.bool_]:
        share = self._values["reach_m"] / np.maximum(true_m, _LEAST_SIGNAL)
        signal = np.log(np.maximum(brightness * share * share, _LEAST_SIGNAL))
        return np.asarray(signal + self._values["fade"] * luck > 0.0)


def _check(settings: SensorSettings) -> None:
    """Raise ParameterError for keys that do not go together."""
    values = settings.values
    if values["least_m"] >= values["longest_m"]:
        raise settings.error("least_m", "'least_m' is not below 'longest_m'.", "Lower it.")
    if not values["elevation_deg"]:
        what = "'elevation_deg' is empty: there would be no rays."
        raise settings.error("elevation_deg", what, "Give [0.0] for a single plane.")
    if values["rays"] * len(values["elevation_deg"]) > MOST_RAYS:
        what = f"A scan would have more than {MOST_RAYS} rays."
        raise settings.error("rays", what, "Lower 'rays' or give fewer elevations.")
    if values["sweep_ms"] * values["rate_hz"] > 1000.0:
        what = "'sweep_ms' is longer than the time from one scan to the next."
        raise settings.error("sweep_ms", what, f"Give at most {1000.0 / values['rate_hz']:g}.")
    distances = [row[0] for row in values["noise_m"]]
    if not distances or distances != sorted(set(distances)):
        what = "The distances of 'noise_m' do not ascend."
        raise settings.error("noise_m", what, "Give rows [distance, deviation] in their order.")


def _rays(settings: SensorSettings) -> tuple[Array, Array]:
    """Directions (n, 3) in the sensor's axes and times (n,) in whole microseconds."""
    values = settings.values
    count, elevation = int(values["rays"]), np.radians(values["elevation_deg"])
    azimuth = np.radians(np.linspace(values["first_deg"], values["last_deg"], count))
    turned, raised = (grid.ravel() for grid in np.meshgrid(azimuth, elevation, indexing="ij"))
    directions = np.stack(
        [np.cos(raised) * np.cos(turned), np.cos(raised) * np.sin(turned), -np.sin(raised)], 1
    )
    after = np.linspace(0.0, 1e3 * float(values["sweep_ms"]), count).round()
    return directions, np.repeat(after, len(elevation))
