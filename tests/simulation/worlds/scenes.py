"""Scenes and paths whose pictures can be told by hand."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simulation.records.interface import OUTPUT
from simulation.worlds.flight_path import PATH_STEPS, FlightPath, PathRecorder
from simulation.worlds.scene import GroundPicture, Light, Mesh, WorldScene, joined

Array = npt.NDArray[np.float64]

_DARK_SKY = Light(
    to_sun=(0.0, 0.0, -1.0),
    sun=(0.0, 0.0, 0.0),
    ambient=(1.0, 1.0, 1.0),
    haze=(0.0, 0.0, 0.4),
    zenith=(0.0, 0.0, 0.4),
    haze_per_m=0.0,
)


class Board(NamedTuple):
    """It stands upright and faces north and south; `colour` is red, green, blue, 0 to 1."""

    north: float
    east: float
    width: float = 1.0
    height: float = 20.0
    colour: tuple[float, float, float] = (1.0, 0.0, 0.0)


def plain(*posts: tuple[float, float]) -> WorldScene:
    """White ground without end under a dark sky, and red posts of 1 m x 1 m x 20 m at (north,
    east)."""
    return with_boards(*(Board(*post) for post in posts or ((-9000.0, 0.0),)))


def with_boards(*boards: Board) -> WorldScene:
    """The same with boards of any size."""
    far = 14_000.0
    corners = np.array([[-far, -far, 0], [-far, far, 0], [far, -far, 0], [far, far, 0]], np.float32)
    up = np.tile(np.array([[0.0, 0.0, -1.0]], np.float32), (4, 1))
    ground = Mesh(
        corners, up, np.ones((4, 3), np.float32), np.array([[0, 1, 2], [1, 3, 2]], np.int32)
    )
    grey = np.full((4, 4), 128, np.uint8)
    no_clouds = np.zeros((4, 4), np.uint8)
    white = GroundPicture(np.full((4, 4, 3), 255, np.uint8), 100.0)
    return WorldScene(ground, white, joined(list(map(_mesh, boards))), _DARK_SKY, grey, no_clouds)


def _mesh(board: Board) -> Mesh:
    vertices = np.array(
        [
            (board.north, board.east + side * board.width, -height)
            for side in (-0.5, 0.5)
            for height in (0.0, board.height)
        ],
        np.float32,
    )
    normals = np.tile(np.array([[-1.0, 0.0, 0.0]], np.float32), (4, 1))
    colours = np.tile(np.array([board.colour], np.float32), (4, 1))
    return Mesh(vertices, normals, colours, np.array([[0, 1, 2], [1, 3, 2]], np.int32))


def quaternion(roll: float, pitch: float, yaw: float) -> Array:
    """Of angles in radians, turning body into NED."""
    (cr, cp, cy), (sr, sp, sy) = (
        [f(angle / 2) for angle in (roll, pitch, yaw)] for f in (math.cos, math.sin)
    )
    return np.array(
        [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ]
    )


def flown(
    seconds: float,
    attitude: Callable[[float], tuple[float, float, float]] = lambda t: (0.0, 0.0, 0.0),
    rotor_speed: Callable[[float], float] = lambda t: 0.0,
    height_m: float = 50.0,
) -> PathRecorder:
    """A flight on the spot, 50 m up: roll, pitch and yaw in radians, one rotor in rad/s."""
    output = np.zeros(1, OUTPUT)[0]
    output["true_position"] = (0.0, 0.0, -height_m)
    recorder = PathRecorder()
    for step in range(0, round(seconds * 1000) + 1, PATH_STEPS):
        output["step"] = step
        output["true_quaternion"] = quaternion(*attitude(step / 1000))
        output["rotor_speed"][0] = rotor_speed(step / 1000)
        recorder.add(output)
    return recorder


def path_of(recorder: PathRecorder) -> FlightPath:
    """What was recorded, which must be something."""
    path = recorder.path()
    assert path is not None
    return path


def horizon_deg(picture: npt.NDArray[np.uint8]) -> float:
    """How far the horizon of `plain` is turned, positive where its right end is higher; of the
    columns in which it is seen."""
    is_ground = picture.astype(int).sum(axis=2) > 360
    height = len(is_ground)
    sky = height - is_ground.sum(axis=0)
    columns = np.flatnonzero((sky > 1) & (sky < height - 1))
    slope = np.polyfit(columns, sky[columns], 1)[0]
    return math.degrees(math.atan(-slope))
