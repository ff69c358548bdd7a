# %% [markdown]
# # Visual odometry with the AR.Drone's bottom camera
#
# Points that were seen in one picture are looked for in the next. At a known height over level
# ground each is a place beside the aircraft; the turn and the shift that bring the places of two
# pictures together are how it moved. Added up that is the path, which drifts; the truth, which
# takes no part in it, says by how much.

# %%
import math
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import PictureSample

Array = npt.NDArray[np.float64]

HEIGHT_M, RADIUS_M, YAW_RADPS, SECONDS = 1.5, 1.2, 0.6, 2.5
RATE_HZ = 12.0  # of its 60, which are more than this needs


def flown(time_s: float) -> Pose:
    """Along a circle to the right, as the nose points."""
    angle = YAW_RADPS * time_s
    place = RADIUS_M * math.sin(angle), RADIUS_M * (1.0 - math.cos(angle)), -HEIGHT_M
    return place, (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))


# %% [markdown]
# The flight. The camera looks straight down, with its upper edge ahead.

# %%
path = GivenPath(flown)
mount = SensorMount(
    "bottom", "ardrone-bottom", attitude_deg=(0.0, -90.0, 0.0), changes={"rate_hz": RATE_HZ}
)
suite = PerceptionSuite(path, make_scene(load_world("arena")), [mount])
shots: list[SuiteSample] = []
suite.subscribe(shots.append)
path.advance(round(1e3 * SECONDS))
lens = shots[0].description.details["lens"]

# %% [markdown]
# From picture to picture.


# %%
def grey(shot: SuiteSample) -> npt.NDArray[np.uint8]:
    """What was sent."""
    assert isinstance(shot.sample, PictureSample)
    return np.asarray(cv2.cvtColor(shot.sample.pixels, cv2.COLOR_BGR2GRAY))


def places(pixels: Array, height_m: float) -> Array:
    """Metres ahead and to the right of the aircraft, of pixels (n, 2)."""
    right, down = ((pixels - lens["centre_px"]) / lens["focal_px"] * height_m).T
    return np.column_stack([-down, right])


def moved(before: SuiteSample, now: SuiteSample, height_m: float) -> tuple[float, float, float]:
    """Metres ahead and to the right, and radians to the right, in the axes of before."""
    first, second = grey(before), grey(now)
    seen = cv2.goodFeaturesToTrack(first, 150, 0.02, 6)
    found, is_found, _ = cv2.calcOpticalFlowPyrLK(first, second, seen, np.empty(0, np.float32))
    then, later = (
        places(points[is_found.ravel() == 1].reshape(-1, 2), height_m) for points in (seen, found)
    )
    motion, _ = cv2.estimateAffinePartial2D(later, then, ransacReprojThreshold=0.01)
    return motion[0, 2], motion[1, 2], math.atan2(motion[1, 0], motion[0, 0])


def odometry(height_m: float) -> tuple[Array, float]:
    """Places (n, 2), north and east, at all pictures, and the last heading. Where it begins is
    given."""
    heading = 1e-6 * shots[0].truth.time_us * YAW_RADPS
    track = [shots[0].truth.position_m[:2]]
    for before, now in pairwise(shots):
        ahead, right, turn = moved(before, now, height_m)
        c, s = math.cos(heading), math.sin(heading)
        track.append(track[-1] + (c * ahead - s * right, s * ahead + c * right))
        heading += turn
    return np.array(track), heading


track, heading = odometry(HEIGHT_M)

# %% [markdown]
# How far it drifts.

# %%
true = np.array([shot.truth.position_m[:2] for shot in shots])
length_m = float(np.linalg.norm(np.diff(true, axis=0), axis=1).sum())
error_m = float(np.linalg.norm(track - true, axis=1).max())
heading_error_deg = math.degrees(heading - 1e-6 * shots[-1].truth.time_us * YAW_RADPS)
print(f"{len(track)} pictures, {length_m:.2f} m flown")
print(f"{100 * error_m:.1f} cm off at most, {heading_error_deg:.2f} degrees at the end")
