"""B7: a simulated camera, calibrated as a real one is, by pictures of a board.

Seed 001 shows its camera's calibration by ROS, seed 002 by OpenCV. The board is that of the world
`arena`; the camera is held before it at other places and other tilts, and the station's own
calibration looks at what it sends, with distortion, noise, vignetting and rolling shutter.
"""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import set_euler
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world import Box, World
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import PictureSample
from telemetry.review.cameras.chessboard import Chessboard
from telemetry.review.cameras.lens import Lens
from telemetry.review.cameras.lens_calibration import LensCalibrationError, calibrate_lens

Array = npt.NDArray[np.float64]

_BOARD: Final = Chessboard(9, 6)
_BOX: Final = "calibration-board"
_ON_THE_WAY_STEPS: Final = 10
_RATE_HZ: Final = 10.0
_CAMERA: Final = SensorMount("front", "ardrone-front", changes={"rate_hz": _RATE_HZ})
_DISTANCES_M: Final = (1.0, 1.3)
_ASIDE: Final = ((0.0, 0.0), (0.3, 0.14), (-0.3, 0.14), (0.3, -0.14), (-0.3, -0.14), (0.0, 0.2))
"""Where the board stands beside the middle of the picture: to the right and down, over the
distance."""
_ROLL_DEG: Final = 12.0


def run(experiment: Experiment) -> RunOutcome:
    """Film the board, find the lens, compare it with the one that the pictures were made with."""
    values = experiment.values
    world = _with_board(load_world("arena"), values["board_width"])
    shots = _filmed(world, list(_poses(values["tilt_deg"])), experiment.seed)
    pictures = [s.sample.pixels for s in shots if isinstance(s.sample, PictureSample)]
    digest = hashlib.sha256(b"".join(p.tobytes() for p in pictures)).hexdigest()
    said = shots[0].description.details["lens"]
    true = Lens(tuple(said["focal_px"]), tuple(said["centre_px"]), tuple(said["distortion"]))
    try:
        found = calibrate_lens(((0.0, picture) for picture in pictures), _BOARD)
    except LensCalibrationError as error:
        metrics = {"focal_error": 1.0, "direction_error_deg": 90.0, "residual_px": 100.0}
        return RunOutcome(metrics, None, digest, note=str(error))
    metrics = {
        "focal_error": max(
            abs(is_found / is_true - 1.0)
            for is_found, is_true in zip(found.lens.focal_px, true.focal_px, strict=True)
        ),
        "direction_error_deg": float(_direction_errors_deg(found.lens, true, found.size).max()),
        "residual_px": found.rms_px,
        "views": float(found.views_used),
    }
    return RunOutcome(metrics, _draw(found.lens, true, found.size), digest)


def _filmed(world: World, poses: list[Pose], seed: int) -> list[SuiteSample]:
    """One picture of each view, with the camera held still from its beginning to its end."""
    # The first picture is that of one period after the start.
    path = GivenPath(lambda t: poses[min(max(int(t * _RATE_HZ) - 1, 0), len(poses) - 1)], seed)
    suite = PerceptionSuite(path, make_scene(world), [_CAMERA])
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    path.advance(round(1e3 * (len(poses) + 1) / _RATE_HZ) + _ON_THE_WAY_STEPS)
    return found


def _with_board(world: World, width: float) -> World:
    """The world with its board alone, that much wider than it is said to be."""
    bodies = tuple(
        replace(body, size_m=(body.size_m[0], body.size_m[1] * width, body.size_m[2]))
        for body in world.bodies
        if isinstance(body, Box) and body.name == _BOX
    )
    return replace(world, bodies=bodies)


def _poses(tilt_deg: float) -> Iterator[Pose]:
    """Before the board, from all around, so that it is tilted by that much and to all sides; with
    no tilt the camera only moves aside."""
    centre = np.array([6.0, 0.0, -1.05])
    views = [(distance, aside) for distance in _DISTANCES_M for aside in _ASIDE]
    for number, (distance, (right, down)) in enumerate(views):
        turn = 2.0 * math.pi * number / len(views) * 5
        azimuth, elevation = (math.radians(tilt_deg) * f(turn) for f in (math.cos, math.sin))
        (ca, sa), (ce, se) = ((math.cos(a), math.sin(a)) for a in (azimuth, elevation))
        axes = np.array([[ca * ce, sa * ce, se], [-sa, ca, 0.0], [-ca * se, -sa * se, ce]])
        attitude = [0.0] * 4
        set_euler(attitude, math.radians(_ROLL_DEG) * (number % 3 - 1), -elevation, azimuth)
        yield (centre - distance * np.array([1.0, right, down]) @ axes).tolist(), attitude


def _direction_errors_deg(found: Lens, true: Lens, size: tuple[int, int]) -> Array:
    """By how much a pixel looks elsewhere than one thinks, on a grid of them."""
    grid = np.meshgrid(*(np.linspace(0.0, side - 1.0, 9) for side in size))
    pixels = np.stack(grid, axis=-1).reshape(-1, 2)
    a, b = (np.column_stack([lens.directions(pixels), np.ones(81)]) for lens in (found, true))
    cosine = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    return np.asarray(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))


def _draw(found: Lens, true: Lens, size: tuple[int, int]) -> Figure:
    row = np.arange(float(size[0]))
    middle = np.column_stack([row, np.full(len(row), (size[1] - 1) / 2)])
    bearings = {
        name: np.degrees(np.arctan(lens.directions(middle)[:, 0]))
        for name, lens in (("true", true), ("found", found))
    }
    title, column = "Where the middle row looks", ("column, px", row)
    axes = curves(title, column, "deg", bearings, {"found": "dashed"})
    return Figure("The lens that was found", (axes,))
