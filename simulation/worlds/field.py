"""Test field: a model airfield among fields, woods and a village."""

import math

import numpy as np
import numpy.typing as npt

from simulation.worlds.ground_picture import WIDTH_M, paint_ground
from simulation.worlds.houses import house
from simulation.worlds.random_tiles import clouds, grain
from simulation.worlds.scene import GroundPicture, Light, Mesh, Segments, WorldScene, joined
from simulation.worlds.terrain import Terrain
from simulation.worlds.trees import trees

Array = npt.NDArray[np.float64]

_TREES = 5000
_VILLAGE = (-620.0, 240.0)
"""North and east of its middle in metres."""
_HOUSES = 60


def make_field(seed: int = 1, pixels: int = 2048) -> WorldScene:
    """The same scene for the same seed. The ground's picture has so many pixels a side."""
    random = np.random.default_rng([seed, 0x5CE9E])
    terrain = Terrain(random)
    painted = paint_ground(random, pixels)
    light = field_light(random)
    tree_places = terrain.places(painted.wild_places(_TREES // 2, random))
    house_places = terrain.places(_house_places(random))
    houses = [_house(place, random) for place in house_places]
    shaded = _shaded(painted.pixels, light, tree_places, house_places)
    ground, wood = terrain.mesh(), trees(tree_places, random)
    counts = [len(mesh.triangles) for mesh in (ground, wood, *houses)]
    names = ("ground", "trees", *(f"house {i + 1}" for i in range(len(houses))))
    return WorldScene(
        ground,
        GroundPicture(shaded, WIDTH_M),
        joined([wood, *houses]),
        light,
        grain(random),
        clouds(random),
        named=Segments(np.repeat(np.arange(len(counts), dtype=np.int32), counts), names),
    )


def field_light(random: np.random.Generator) -> Light:
    """A summer day; the sun stands in any direction."""
    elevation, azimuth = math.radians(38.0), random.uniform(0.0, 2.0 * math.pi)
    north, east = math.cos(azimuth), math.sin(azimuth)
    return Light(
        to_sun=(
            math.cos(elevation) * north,
            math.cos(elevation) * east,
            -math.sin(elevation),
        ),
        sun=(0.78, 0.74, 0.66),
        ambient=(0.44, 0.47, 0.54),
        haze=(0.74, 0.79, 0.84),
        zenith=(0.30, 0.50, 0.80),
        haze_per_m=1.7e-4,
    )


def _house_places(random: np.random.Generator) -> Array:
    spread = random.uniform(-1.0, 1.0, (_HOUSES, 2)) * (150.0, 260.0)
    return np.asarray(np.round(spread / 28.0) * 28.0 + _VILLAGE)


def _house(place: Array, random: np.random.Generator) -> Mesh:
    turn = 0.25 + 0.5 * math.pi * random.integers(2)
    wall = np.array((0.78, 0.75, 0.7)) * random.uniform(0.75, 1.15)
    if random.random() < 0.2:
        return house(place, (26.0, 20.0, random.uniform(6.0, 10.0)), 0.0, turn, wall)
    return house(place, (random.uniform(10.0, 16.0), 9.0, 5.5), 3.5, turn, wall)


def _shaded(
    pixels: npt.NDArray[np.uint8], light: Light, tree_places: Array, house_places: Array
) -> npt.NDArray[np.uint8]:
    """The picture with the shadows of what stands on it."""
    import cv2

    n = len(pixels)
    shadow = np.zeros((n, n), np.uint8)
    away = -np.array(light.to_sun[:2]) / -light.to_sun[2]
    for places, height, radius in ((tree_places, 8.0, 3.2), (house_places, 5.0, 8.0)):
        for place in places:
            middle = (place[:2] + away * height * 0.5) / WIDTH_M * n + n / 2
            centre = (round(middle[1]), round(middle[0]))
            length = radius + 0.5 * height * float(np.hypot(*away))
            axes = tuple(max(1, round(a * n / WIDTH_M)) for a in (length, radius))
            angle = math.degrees(math.atan2(away[0], away[1]))
            cv2.ellipse(shadow, centre, axes, angle, 0.0, 360.0, 255, -1)
    soft = cv2.GaussianBlur(shadow, (0, 0), 1.0).astype(np.float32) / 255.0
    return np.asarray((pixels * (1.0 - 0.42 * soft[..., None])).astype(np.uint8))
