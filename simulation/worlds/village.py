"""Village of streets and houses, with fields, woods and hills for kilometres around it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.files.parameter_file import NumberKey, Schema, Values
from simulation.worlds.body_meshes import BodyMesh
from simulation.worlds.field import field_light
from simulation.worlds.ground_picture import WIDTH_M, PaintedGround, paint_ground
from simulation.worlds.houses import GableHouse, gable_house
from simulation.worlds.patterns import pattern_picture
from simulation.worlds.random_tiles import clouds, grain
from simulation.worlds.scene import (
    GroundPicture,
    Mesh,
    Picture,
    PicturedMesh,
    Segments,
    WorldScene,
    joined,
)
from simulation.worlds.terrain import Terrain
from simulation.worlds.trees import trees

Array = npt.NDArray[np.float64]
Line = tuple[Array, Array]
"""Two ends, each (north, east)."""

VILLAGE_KEYS: Final[Schema] = {
    "houses": NumberKey(1, 2000, whole=True, default=420),
    "trees": NumberKey(0, 20_000, whole=True, default=4200),
    "highest_m": NumberKey(0.0, 300.0, default=45.0),
    "pixels": NumberKey(256, 4096, whole=True, default=2048),
}
_FLAT_M: Final = 260.0
_SOUTH_M: Final = 220.0
_NORTH_M: Final = 1480.0
"""The village lies north of the strip in the middle of the world."""
_STREETS: Final = 15
_LONG_M: Final = (160.0, 520.0)
_ROAD_M: Final = 6.0
_PLOT_M: Final = 21.0
_BACK_M: Final = 13.0
"""From the middle of the street to that of a house."""
_LEAST_APART_M: Final = 17.0
_CHURCHYARD_M: Final = 38.0
_STOREY_M: Final = 2.8
_ROAD, _PAVED = (98, 98, 100), (120, 116, 110)


def make_village(values: Values, seed: int) -> WorldScene:
    """The same for the same values of VILLAGE_KEYS and seed."""
    random = np.random.default_rng([seed, 0x7117])
    terrain = Terrain(random, _FLAT_M, float(values["highest_m"]))
    painted = paint_ground(random, int(values["pixels"]))
    streets = _streets(random)
    plots = _plots(streets, int(values["houses"]), random)
    _paint(painted.pixels, streets, plots)
    stand = terrain.places(np.array([plot.place for plot in plots]))
    houses = [
        _house(place, plot.turn_rad, random) for place, plot in zip(stand, plots, strict=True)
    ]
    church = _church(streets[0], terrain)
    built = [*houses, church]
    places = _tree_places(painted, plots, int(values["trees"]), random)
    wood = trees(terrain.places(places), random)
    pictured = _pictured(built, seed)
    ground = terrain.mesh()
    return WorldScene(
        ground,
        GroundPicture(painted.pixels, WIDTH_M),
        wood,
        field_light(random),
        grain(random),
        clouds(random),
        pictured,
        _segments(ground, wood, built),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Plot:
    """Where a house stands, and the direction of its street."""

    place: Array
    turn_rad: float


def _streets(random: np.random.Generator) -> list[Line]:
    """One from south to north, and others that cross it or end at it."""
    streets = [(np.array((_SOUTH_M, 0.0)), np.array((_NORTH_M, 60.0)))]
    for north in np.linspace(_SOUTH_M + 60.0, _NORTH_M - 60.0, _STREETS):
        slant = math.radians(random.uniform(-14.0, 14.0))
        along = np.array((math.sin(slant), math.cos(slant)))
        west, east = (random.uniform(*_LONG_M) * (random.random() < 0.85) for _ in range(2))
        middle = np.array((north, 60.0 * (north - _SOUTH_M) / (_NORTH_M - _SOUTH_M)))
        streets.append((middle - along * west, middle + along * east))
    return streets


def _plots(streets: list[Line], count: int, random: np.random.Generator) -> list[_Plot]:
    """Both sides of all streets, where neither another house nor another street is near."""
    found: list[_Plot] = []
    taken = np.zeros((0, 2))
    church = _church_place(streets[0])
    possible = list(_along(streets, random))
    for street, plot in (possible[i] for i in random.permutation(len(possible))):
        near = [other for other in streets if other is not street]
        if any(_distance(line, plot.place) < _BACK_M - 2.0 for line in near):
            continue
        if np.hypot(*(plot.place - church)) < _CHURCHYARD_M:
            continue
        if (np.hypot(*(taken - plot.place).T) > _LEAST_APART_M).all():
            found.append(plot)
            taken = np.concatenate([taken, plot.place[None]])
        if len(found) == count:
            break
    return found


def _along(streets: list[Line], random: np.random.Generator) -> Iterator[tuple[Line, _Plot]]:
    for street in streets:
        start, end = street
        length = float(np.hypot(*(end - start)))
        if length < _PLOT_M:
            continue
        ahead = (end - start) / length
        aside = np.array((-ahead[1], ahead[0]))
        turn = math.atan2(ahead[1], ahead[0])
        for along in np.arange(_PLOT_M, length, _PLOT_M):
            for side in (-1.0, 1.0):
                back = side * (_BACK_M + random.uniform(0.0, 5.0))
                place = start + ahead * (along + random.uniform(-2.0, 2.0)) + aside * back
                yield street, _Plot(place, turn + random.choice((0.0, 0.5 * math.pi)))


def _distance(line: Line, place: Array) -> float:
    """From a place to a street."""
    start, end = line
    way = end - start
    share = np.clip((place - start) @ way / max(float(way @ way), 1e-9), 0.0, 1.0)
    return float(np.hypot(*(place - start - share * way)))


def _paint(pixels: Picture, streets: list[Line], plots: list[_Plot]) -> None:
    """Streets, the yards of the houses, and the road that leads on to the edges of the picture."""
    import cv2

    scale = len(pixels) / WIDTH_M

    def at(place: Array) -> tuple[int, int]:
        return round((place[1] + WIDTH_M / 2) * scale), round((place[0] + WIDTH_M / 2) * scale)

    for plot in plots:
        cv2.circle(pixels, at(plot.place), max(round(9.5 * scale), 1), _PAVED, -1)
    south, north = streets[0]
    ends = np.array((-WIDTH_M / 2, -180.0)), np.array((WIDTH_M / 2, 240.0))
    bend = np.array((-150.0, -120.0))
    roads = [(ends[0], bend), (bend, south), *streets, (north, ends[1])]
    for start, end in roads:
        cv2.line(pixels, at(start), at(end), _ROAD, max(round(_ROAD_M * scale), 1), cv2.LINE_AA)


def _house(place: Array, turn_rad: float, random: np.random.Generator) -> GableHouse:
    storeys = int(random.choice((1, 2, 2, 3)))
    size = (random.uniform(10.0, 14.0), random.uniform(8.0, 10.0), storeys * _STOREY_M)
    wall = np.array((0.95, 0.91, 0.84)) * random.uniform((0.86, 0.84, 0.76), (1.0, 1.0, 1.0))
    wall *= random.uniform(0.75, 1.0)
    roof = np.array((0.72, 0.36, 0.26)) * random.uniform(0.6, 1.15)
    return gable_house(place, size, random.uniform(2.5, 4.5), turn_rad, (wall, roof))


def _church(main: Line, terrain: Terrain) -> GableHouse:
    """A nave, and a tower with a steep roof, as one."""
    place = terrain.places(_church_place(main)[None])[0]
    colours = np.array((0.93, 0.9, 0.82)), np.array((0.4, 0.34, 0.34))
    nave = gable_house(place, (26.0, 12.0, 10.0), 7.0, 0.0, colours)
    tower = gable_house(place - (16.0, 0.0, 0.0), (6.0, 6.0, 24.0), 14.0, 0.0, colours)
    return GableHouse(_both(nave.walls, tower.walls), _both(nave.roof, tower.roof))


def _church_place(main: Line) -> Array:
    return np.asarray(0.5 * (main[0] + main[1]) + np.array((0.0, -34.0)))


def _both(one: BodyMesh, other: BodyMesh) -> BodyMesh:
    return BodyMesh(joined((one.mesh, other.mesh)), np.concatenate([one.places, other.places]))


def _tree_places(
    painted: PaintedGround, plots: list[_Plot], count: int, random: np.random.Generator
) -> Array:
    """North and east (n, 2): along hedges, in woods and in gardens, none on streets and houses."""
    wild = painted.wild_places(count // 5 * 2, random)
    houses = np.array([plot.place for plot in plots])
    turn = random.uniform(0.0, 2.0 * math.pi, count // 5)
    gardens = houses[random.integers(len(houses), size=count // 5)]
    away = random.uniform(9.0, 16.0, count // 5)
    gardens = gardens + np.column_stack([np.cos(turn), np.sin(turn)]) * away[:, None]
    places = np.concatenate([wild, gardens])
    scale = len(painted.pixels) / WIDTH_M
    row, column = np.clip(
        ((places + WIDTH_M / 2) * scale).astype(int), 0, len(painted.pixels) - 1
    ).T
    paved = (painted.pixels[row, column] == _ROAD).all(1)
    apart = np.full(len(places), np.inf)
    for house in houses:
        apart = np.minimum(apart, np.hypot(*(places - house).T))
    return np.asarray(places[~paved & (apart > 8.5)])


def _pictured(built: list[GableHouse], seed: int) -> tuple[PicturedMesh, ...]:
    walls, roofs = [house.walls for house in built], [house.roof for house in built]
    found = []
    for parts, pattern, size_m in ((walls, "windows", 2 * _STOREY_M), (roofs, "bricks", 3.0)):
        places = (np.concatenate([part.places for part in parts]) / size_m).astype(np.float32)
        mesh = joined([part.mesh for part in parts])
        found.append(PicturedMesh(mesh, places, pattern_picture(pattern, seed)))
    return tuple(found)


def _segments(ground: Mesh, wood: Mesh, built: list[GableHouse]) -> Segments:
    names = ("ground", "trees", *(f"house {i + 1}" for i in range(len(built) - 1)), "church")
    counts = [len(ground.triangles), len(wood.triangles)]
    for parts in ([house.walls for house in built], [house.roof for house in built]):
        counts += [len(part.mesh.triangles) for part in parts]
    numbers = [0, 1, *range(2, len(names)), *range(2, len(names))]
    return Segments(np.repeat(np.array(numbers, np.int32), counts), names)
