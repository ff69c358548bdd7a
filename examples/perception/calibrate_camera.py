# %% [markdown]
# # A simulated camera, calibrated with OpenCV
#
# The AR.Drone's front camera is held before the calibration board of the world `arena`, at other
# places and tilts. OpenCV finds the corners of the board in the pictures, and from these the lens,
# which is compared with the one that the pictures were made with.

# %%
import math
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import set_euler
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import PictureSample

CORNERS, SQUARE_M = (9, 6), 0.1
BOARD = np.array([6.0, 0.0, -1.05])
RATE_HZ = 10.0
VIEWS = (
    (1.2, 0.0, 0.0),
    (1.0, 0.3, 0.14),
    (1.0, -0.3, 0.14),
    (1.0, 0.3, -0.14),
    (1.2, -0.3, -0.14),
)
TILTS_DEG = ((25.0, 0.0), (-20.0, 20.0), (0.0, -25.0))

# %% [markdown]
# Fifteen views: how far away, and where the board stands beside the picture's middle; each from
# three sides.


# %%
def views() -> Iterator[Pose]:
    """Position and attitude of each."""
    for azimuth_deg, elevation_deg in TILTS_DEG:
        for distance, right, down in VIEWS:
            azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
            (ca, sa), (ce, se) = ((math.cos(a), math.sin(a)) for a in (azimuth, elevation))
            axes = np.array([[ca * ce, sa * ce, se], [-sa, ca, 0.0], [-ca * se, -sa * se, ce]])
            attitude = [0.0] * 4
            set_euler(attitude, 0.0, -elevation, azimuth)
            yield (BOARD - distance * np.array([1.0, right, down]) @ axes).tolist(), attitude


poses = list(views())
path = GivenPath(lambda t: poses[min(max(int(t * RATE_HZ) - 1, 0), len(poses) - 1)])
mount = SensorMount("front", "ardrone-front", changes={"rate_hz": RATE_HZ})
suite = PerceptionSuite(path, make_scene(load_world("arena")), [mount])
shots: list[SuiteSample] = []
suite.subscribe(shots.append)
path.advance(round(1e3 * (len(poses) + 1) / RATE_HZ) + 10)

# %% [markdown]
# The corners, and the lens.

# %%
grid = np.zeros((CORNERS[0] * CORNERS[1], 3), np.float32)
grid[:, :2] = SQUARE_M * np.mgrid[: CORNERS[0], : CORNERS[1]].T.reshape(-1, 2)
seen: list[npt.NDArray[np.float32]] = []
for shot in shots:
    assert isinstance(shot.sample, PictureSample)
    grey = cv2.cvtColor(shot.sample.pixels, cv2.COLOR_BGR2GRAY)
    is_found, corners = cv2.findChessboardCorners(grey, CORNERS)
    if is_found:
        end = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.005)
        seen.append(cv2.cornerSubPix(grey, corners, (3, 3), (-1, -1), end))
residual_px, matrix, distortion, _, _ = cv2.calibrateCamera(
    [grid] * len(seen), seen, grey.shape[::-1], np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
)

# %% [markdown]
# Beside the truth.

# %%
true = shots[0].description.details["lens"]
focal_px = matrix[0, 0], matrix[1, 1]
print(f"{len(seen)} views, corners {residual_px:.2f} px from where the lens says")
print(f"focal length {focal_px[0]:.2f} and {focal_px[1]:.2f} px; true: {true['focal_px']}")
print(f"k1 {distortion.ravel()[0]:.3f}; true: {true['distortion'][0]}")
