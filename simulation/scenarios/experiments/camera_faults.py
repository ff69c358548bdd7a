"""E7: the on-board camera of seed 004, and what is wrong with its pictures.

Over a meadow with an upright post before it. What the camera is said to be is measured in what it
sends: pictures a second by its stamps, the field of view by how far the post moves when the camera
turns, the height of the horizon, how long the shutter takes by how far the post leans while the
camera yaws, and how many of 300 pictures arrive damaged.
"""

import hashlib
import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import set_euler
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.worlds.make_scene import make_scene
from simulation.worlds.scene import Light
from simulation.worlds.world import Box, Placed, PlaneGround, StartPlace, Surface, World
from telemetry.protocol.streams.samples import PictureSample

Array = npt.NDArray[np.float64]

_HEIGHT_M: Final = 20.0
_POST_M: Final = 60.0
_YAW_RADPS: Final = 1.0
_TURN_DEG: Final = 10.0
_PICTURES_S: Final = 0.1
_PASSES_S: Final = 0.0827
"""Three pictures of each view, the second exposed at about _PASSES_S."""
_ON_THE_WAY_STEPS: Final = 40
_TINY: Final = {"width_px": 8, "height_px": 8, "readout_ms": 0.0, "exposure_ms": 0.0, "noise": 0.0}
_BLUE_SKY: Final = Light(
    to_sun=(0.0, 0.0, -1.0),
    sun=(0.0, 0.0, 0.0),
    ambient=(1.0, 1.0, 1.0),
    haze=(0.1, 0.2, 0.6),
    zenith=(0.1, 0.2, 0.6),
    haze_per_m=0.0,
)
_MEADOW: Final = World(
    "meadow",
    "A white meadow with a red post",
    Path(),
    _BLUE_SKY,
    (StartPlace("here", (0.0, 0.0, 0.0)),),
    PlaneGround(Surface((1.0, 1.0, 1.0)), 5000.0),
    (Box("post", Surface((1.0, 0.0, 0.0)), Placed((_POST_M, 0.0, 0.0)), (1.0, 1.0, 60.0)),),
)


def run(experiment: Experiment) -> RunOutcome:
    """Look at the post from both sides, yaw past it, and count damaged pictures."""
    values = experiment.values
    camera = _Filming(experiment.seed, values["pitch_deg"], values["readout_ms"])
    beside = camera.samples(lambda t: _TURN_DEG * (-1.0 if t < _PASSES_S else 1.0), _PICTURES_S)
    passing = camera.samples(lambda t: math.degrees(_YAW_RADPS) * (t - _PASSES_S), _PICTURES_S)
    counted = _counted(experiment.seed, values["broken"], values["counted_s"])
    left, right = _pixels(beside[0]), _pixels(beside[-1])
    height, width = left.shape[:2]
    horizon = _horizon_row(left)
    pitch = math.radians(values["pitch_deg"])
    across = _post_columns(left)[horizon] - _post_columns(right)[horizon]
    focal = float(across) * math.cos(pitch) / (2.0 * math.tan(math.radians(_TURN_DEG)))
    times = [each.sample.time_us for each in counted]
    damaged = [_picture(each).flaw != "" for each in counted]
    metrics = {
        "rate_hz": 1e6 * (len(times) - 1) / (times[-1] - times[0]),
        "width_px": float(width),
        "field_deg": math.degrees(2.0 * math.atan(0.5 * width / focal)),
        "horizon": horizon / height,
        "shutter_ms": 1e3 * _shutter_s(_pixels(passing[1]), focal, pitch),
        "damaged": float(np.mean(damaged)),
    }
    digest = hashlib.sha256(b"".join(_pixels(s).tobytes() for s in (*beside, *passing, *counted)))
    return RunOutcome(metrics, None, digest.hexdigest())


@cache
def _meadow() -> Surroundings:
    return Surroundings(make_scene(_MEADOW))


@cache
def _counted(seed: int, broken: float, seconds: float) -> list[SuiteSample]:
    """Tiny pictures. What they show, and so where the camera looks, is nothing to
    when they come and to which of them are damaged."""
    return _Filming(seed).samples(lambda _: 0.0, seconds, _TINY | {"broken": broken})


class _Filming:
    """The camera over the meadow, at rest but for its heading."""

    def __init__(self, seed: int, pitch_deg: float = 0.0, readout_ms: float = 0.0) -> None:
        self._seed = seed
        self._attitude = (0.0, pitch_deg, 0.0)
        self._whole = {"broken": 0.0, "readout_ms": readout_ms}

    def samples(
        self,
        heading_deg: Callable[[float], float],
        seconds: float,
        changes: Mapping[str, float] = MappingProxyType({}),
    ) -> list[SuiteSample]:
        """All that arrive, none of them damaged unless asked for."""

        def pose(time_s: float) -> Pose:
            attitude = [0.0] * 4
            set_euler(attitude, 0.0, 0.0, math.radians(heading_deg(time_s)))
            return (0.0, 0.0, -_HEIGHT_M), attitude

        path = GivenPath(pose, self._seed)
        mount = SensorMount(
            "nose",
            "price-camera",
            attitude_deg=self._attitude,
            changes={**self._whole, **changes},
        )
        found: list[SuiteSample] = []
        PerceptionSuite(path, _meadow(), [mount]).subscribe(found.append)
        path.advance(round(1e3 * seconds) + _ON_THE_WAY_STEPS)
        return found


def _picture(sample: SuiteSample) -> PictureSample:
    assert isinstance(sample.sample, PictureSample)
    return sample.sample


def _pixels(sample: SuiteSample) -> npt.NDArray[np.uint8]:
    return _picture(sample).pixels


def _horizon_row(picture: npt.NDArray[np.uint8]) -> int:
    """In the columns at the left edge, from the top."""
    blue, red = (picture[:, :16, channel].mean(axis=1) for channel in (0, 2))
    return int((red < 0.7 * blue).sum())


def _post_columns(picture: npt.NDArray[np.uint8]) -> Array:
    """Where the middle of the post stands in each row; NaN where it is not seen."""
    blue, green, red = np.moveaxis(picture.astype(np.float64), 2, 0)
    redness = np.clip(red - np.maximum(blue, green) - 60.0, 0.0, None)
    total = redness.sum(axis=1)
    columns = redness @ np.arange(picture.shape[1])
    found: Array = np.divide(columns, total, out=np.full(len(total), np.nan), where=total > 100.0)
    return found


def _shutter_s(picture: npt.NDArray[np.uint8], focal: float, pitch: float) -> float:
    """From the first row to the last, by how far the post leans while the camera yaws past it."""
    columns = _post_columns(picture)
    rows = len(columns)
    down = np.arange(rows) + 0.5 - rows / 2
    elevation = pitch - np.arctan(down / focal)
    px_per_rad = focal * np.cos(elevation) * np.hypot(1.0, down / focal)
    is_seen = ~np.isnan(columns)
    # The bearing when the middle row was exposed, and by how much it is less in later rows.
    model = np.column_stack([px_per_rad, -_YAW_RADPS * px_per_rad * down / rows])[is_seen]
    aside = columns[is_seen] - (picture.shape[1] - 1) / 2
    return float(np.linalg.lstsq(model, aside, rcond=None)[0][1])
