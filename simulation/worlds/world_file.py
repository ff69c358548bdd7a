"""World files: `world.toml` in its folder, checked key by key."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from simulation.files.parameter_file import (
    NumberKey,
    ParameterError,
    ParameterFile,
    Rule,
    Schema,
    TextKey,
    Values,
    WordKey,
    remedy_for,
)
from simulation.worlds.mesh_file import AXES, UNITS_M
from simulation.worlds.patterns import PATTERNS
from simulation.worlds.scene import Light
from simulation.worlds.sceneries import SCENERIES
from simulation.worlds.world import (
    Body,
    Box,
    Cylinder,
    EarthPlace,
    Ground,
    MeshBody,
    Placed,
    PlaneGround,
    RasterGround,
    Scenery,
    StartPlace,
    Surface,
    TerrainGround,
    Wall,
    WindZone,
    World,
    WorldError,
)
from telemetry.base.installation import RESOURCES
from telemetry.recording.simulated_world import split_world

FILE_NAME: Final = "world.toml"
_FOLDER: Final = RESOURCES / "worlds"
_FAR_M: Final = 1e5
_PLACE = NumberKey(-_FAR_M, _FAR_M, (3,))
_DAYLIGHT: Final = {
    "sun": (0.78, 0.74, 0.66),
    "ambient": (0.44, 0.47, 0.54),
    "haze": (0.74, 0.79, 0.84),
    "zenith": (0.30, 0.50, 0.80),
}
_LIGHT: Final[Schema] = {
    "sun_azimuth_deg": NumberKey(-360.0, 360.0, default=150.0),
    "sun_elevation_deg": NumberKey(0.0, 90.0, default=40.0),
    **{name: NumberKey(0.0, 2.0, (3,), default=value) for name, value in _DAYLIGHT.items()},
    "haze_per_m": NumberKey(0.0, 1.0, default=1.7e-4),
    "clouds": NumberKey(0.0, 1.0, default=0.4),
}
_GREY, _AS_IT_IS = (0.7, 0.7, 0.7), (1.0, 1.0, 1.0)
_SURFACE: Final[Schema] = {
    "colour": NumberKey(0.0, 1.0, (3,), default=()),
    "picture": TextKey("the name of a PNG or JPEG file beside world.toml", default=""),
    "pattern": WordKey({name: i for i, name in enumerate(["", *PATTERNS])}, default=""),
    "picture_m": NumberKey(0.0, _FAR_M, (2,), default=(0.0, 0.0)),
}
_PLACED: Final[Schema] = {
    "position_m": _PLACE,
    "attitude_deg": NumberKey(-360.0, 360.0, (3,), default=(0.0, 0.0, 0.0)),
}
_GROUND: Final[Schema] = {
    **_SURFACE,
    "reach_m": NumberKey(1.0, _FAR_M),
    "down_m": NumberKey(-_FAR_M, _FAR_M, default=0.0),
}
_RASTER: Final[Schema] = {
    **_SURFACE,
    "heights": TextKey("the name of a TIFF file beside world.toml"),
    "step_m": NumberKey(0.01, 1000.0),
    "middle_m": NumberKey(-_FAR_M, _FAR_M, (2,), default=(0.0, 0.0)),
    "void": NumberKey(-_FAR_M, _FAR_M, default=math.nan),
}
_SIZE = NumberKey(1e-3, _FAR_M)
_BOX: Final[Schema] = {**_SURFACE, **_PLACED, "size_m": NumberKey(1e-3, _FAR_M, (3,))}
_CYLINDER: Final[Schema] = {
    **_SURFACE,
    **_PLACED,
    "radius_m": _SIZE,
    "height_m": _SIZE,
    "sides": NumberKey(3, 128, whole=True, default=24),
}
_WALL: Final[Schema] = {
    **_SURFACE,
    "line_m": NumberKey(-_FAR_M, _FAR_M, (-1, 2)),
    "height_m": _SIZE,
    "thickness_m": _SIZE,
    "base_m": NumberKey(-_FAR_M, _FAR_M, default=0.0),
}
_MESH: Final[Schema] = {
    **_SURFACE,
    **_PLACED,
    "file": TextKey("the name of an .obj, .glb or .gltf file beside world.toml"),
    "unit": WordKey({name: i for i, name in enumerate(UNITS_M)}, default="m"),
    "axes": WordKey({name: i for i, name in enumerate(AXES)}, default="y-up"),
}
_TERRAIN: Final[Schema] = {
    **_SURFACE,
    "terrain": TextKey("the name of a GeoTIFF or HGT file beside world.toml"),
    "reach_m": NumberKey(1.0, _FAR_M),
    "step_m": NumberKey(0.1, 1000.0),
}
_START: Final[Schema] = {
    "position_m": _PLACE,
    "heading_deg": NumberKey(-360.0, 360.0, default=0.0),
}
_WIND_ZONE: Final[Schema] = {
    "centre_m": _PLACE,
    "size_m": NumberKey(0.1, _FAR_M, (3,)),
    "wind_mps": NumberKey(-60.0, 60.0, (3,)),
    "edge_m": NumberKey(0.0, _FAR_M, default=1.0),
}
_EARTH: Final[Schema] = {
    "latitude_deg": NumberKey(-89.0, 89.0),
    "longitude_deg": NumberKey(-180.0, 180.0),
    "altitude_m": NumberKey(-500.0, 9000.0, default=0.0),
}


def world_names() -> tuple[str, ...]:
    """The shipped worlds."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob(f"*/{FILE_NAME}")))


def load_world(name: str | Path) -> World:
    """Read a shipped world by name, or one from its folder or its `world.toml`.

    Behind the name may stand the start place that comes first, and values for its scenery if it has
    one: `corridor:start=near-a-wall,width_m=3`. Raises WorldError. Pictures and meshes are read
    when the scene is made.
    """
    where, values = _split(str(name))
    path = _path(where)
    start = values.pop("start", "")
    try:
        world = _WorldReader(path, values).world()
        return _starting_at(world, start) if start else world
    except ParameterError as error:
        raise WorldError(f"World {path.parent.name}: {error}") from None


def _starting_at(world: World, name: str) -> World:
    """The same, with this start place before the others."""
    chosen = [start for start in world.starts if start.name == name]
    if not chosen:
        names = ", ".join(start.name for start in world.starts)
        raise WorldError(f"World {world.name} has no start '{name}'; there are: {names}.")
    others = (start for start in world.starts if start.name != name)
    return replace(world, starts=(*chosen, *others))


def _split(text: str) -> tuple[str, dict[str, str]]:
    where, options = split_world(text)
    pairs = [part.partition("=") for part in options.split(",") if options]
    return where, {key.strip(): value.strip() for key, _, value in pairs}


def _path(where: str) -> Path:
    if where in world_names():
        return _FOLDER / where / FILE_NAME
    path = Path(where)
    if path.is_dir():
        path /= FILE_NAME
        if not path.exists():
            raise WorldError(
                f"The folder {where} has no {FILE_NAME}; write one (see `lapwing sim fly -h`)."
            )
    if not path.exists():
        names = ", ".join(world_names())
        raise WorldError(
            f"There is no world '{where}'; there are: {names}. For one of your own give its folder."
        )
    return path


class _WorldReader:
    """One file; `asked` are values of its scenery in the place of the file's."""

    def __init__(self, path: Path, asked: Mapping[str, str]) -> None:
        self._file = ParameterFile(path)
        self.folder = path.parent
        self._asked = asked

    def world(self) -> World:
        file = self._file
        tables = ("light", "ground", "scenery", "place", *_BODIES, "starts", "wind_zones")
        file.refuse_unknown("", ("title", *tables))
        scenery = self._scenery()
        made = SCENERIES[scenery.kind].bodies if scenery else None
        self._refuse_what_is_made(scenery)
        light = self._values("light", _LIGHT)
        return World(
            name=self.folder.name,
            title=file.text("title"),
            folder=self.folder,
            light=_light(light),
            clouds=light["clouds"],
            starts=tuple(self._each("starts", _START, _start)),
            ground=self._ground(),
            bodies=(*(made(scenery.values) if made and scenery else ()), *self._bodies()),
            scenery=scenery,
            wind_zones=tuple(self._each("wind_zones", _WIND_ZONE, _wind_zone)),
            place=EarthPlace(**file.values("place", _EARTH)) if file.has("place") else None,
        )

    def _bodies(self) -> Iterator[Body]:
        for table, (schema, make) in _BODIES.items():
            yield from self._each(table, schema, make)

    def _scenery(self) -> Scenery | None:
        file = self._file
        if not self._has("scenery"):
            if self._asked:
                names = ", ".join(self._asked)
                raise file.error("", "", f"{names}: this world has no [scenery].", "Ask nothing.")
            return None
        kind = file.table("scenery").get("kind")
        if not isinstance(kind, str) or kind not in SCENERIES:
            what = f"'kind' in [scenery] is {kind!r}, which is not known."
            raise file.error("scenery", "kind", what, f"Use one of: {', '.join(SCENERIES)}.")
        keys = SCENERIES[kind].keys
        for key in self._asked:
            if key not in keys:
                what = f"{key!r} is no value of this world's scenery."
                raise file.error("scenery", "", what, remedy_for(key, tuple(keys)))
        asked = {key: _as_asked(keys[key], text) for key, text in self._asked.items()}
        file.content["scenery"] = {**file.table("scenery"), **asked}
        values = file.values("scenery", {"kind": TextKey("a kind"), **keys})
        return Scenery(kind, {key: values[key] for key in keys})

    def _refuse_what_is_made(self, scenery: Scenery | None) -> None:
        if scenery is None or SCENERIES[scenery.kind].scene is None:
            return
        for table in ("ground", "light"):
            if table in self._file.content:
                what = f"A {scenery.kind} has a {table} of its own."
                raise self._file.error(table, "", what, f"Leave out [{table}], or [scenery].")

    def _ground(self) -> Ground | None:
        if not self._has("ground"):
            return None
        if "terrain" in self._file.table("ground"):
            return self._terrain()
        if "heights" not in self._file.table("ground"):
            values = self._file.values("ground", _GROUND)
            return PlaneGround(self.surface("ground", values), values["reach_m"], values["down_m"])
        values = self._file.values("ground", _RASTER)
        surface, path = self.surface("ground", values), self.folder / values["heights"]
        north, east = values["middle_m"]
        return RasterGround(surface, path, values["step_m"], (north, east), values["void"])

    def _terrain(self) -> TerrainGround:
        values = self._file.values("ground", _TERRAIN)
        if not self._has("place"):
            what = "The ground is that of a place on Earth, which is missing."
            raise self._file.error("ground", "terrain", what, "Add [place].")
        surface, path = self.surface("ground", values), self.folder / values["terrain"]
        return TerrainGround(surface, path, values["reach_m"], values["step_m"])

    def _each(
        self, table: str, schema: Schema, make: Callable[["_WorldReader", str, Values], Any]
    ) -> Iterator[Any]:
        """What is made of each table in a table, under the name of each."""
        for name in self._file.table(table) if self._has(table) else ():
            section = f"{table}.{name}"
            if not name.replace("_", "").replace("-", "").isalnum():
                what = f"{name!r} in [{table}] is no name."
                raise self._file.error(table, "", what, "Use letters, digits, - and _.")
            if not self._file.has(section):
                what = f"{name!r} in [{table}] is no table of its own."
                raise self._file.error(table, name, what, f"Write [{table}.NAME] and its keys.")
            yield make(self, section, self._file.values(section, schema))

    def _has(self, table: str) -> bool:
        if table not in self._file.content:
            return False
        self._file.table(table)  # complains of what is no table
        return True

    def _values(self, section: str, schema: Schema) -> Values:
        if self._has(section):
            return self._file.values(section, schema)
        return {key: rule.default for key, rule in schema.items()}

    def surface(self, section: str, values: Values) -> Surface:
        """The surface that the keys of a section describe."""
        picture, pattern = values["picture"], values["pattern"]
        if picture and pattern:
            what = f"[{section}] has a picture and a pattern."
            raise self._file.error(section, "pattern", what, "Leave out one.")
        width_m, height_m = values["picture_m"]
        if (width_m == 0.0) != (height_m == 0.0):
            what = f"'picture_m' in [{section}] has one side of 0 m."
            raise self._file.error(section, "picture_m", what, "Give both, or leave it out.")
        path = self.folder / picture if picture else None
        colour = values["colour"] or (_AS_IT_IS if picture or pattern else _GREY)
        return Surface(_tuple(colour), path, pattern, (width_m, height_m))

    def line(self, section: str, values: Values) -> tuple[tuple[float, float], ...]:
        """The corners of a wall, of which there must be two at least, at different places."""
        line = tuple((float(north), float(east)) for north, east in values["line_m"])
        if len(line) < 2 or any(a == b for a, b in pairwise(line)):
            what = f"'line_m' in [{section}] is no line."
            raise self._file.error(section, "line_m", what, "Give two or more different places.")
        return line


def _as_asked(rule: Rule, text: str) -> Any:
    """A text as the file would have it; one that is no number is complained of later."""
    if not isinstance(rule, NumberKey):
        return text
    try:
        return float(text)
    except ValueError:
        return text


def _tuple(numbers: Any) -> Any:
    return tuple(float(number) for number in numbers)


def _light(values: Values) -> Light:
    azimuth, elevation = (
        math.radians(values[f"sun_{name}_deg"]) for name in ("azimuth", "elevation")
    )
    level = math.cos(elevation)
    to_sun = (level * math.cos(azimuth), level * math.sin(azimuth), -math.sin(elevation))
    colours = {name: _tuple(values[name]) for name in _DAYLIGHT}
    return Light(to_sun=to_sun, haze_per_m=values["haze_per_m"], **colours)


def _placed(values: Values) -> Placed:
    return Placed(_tuple(values["position_m"]), _tuple(values["attitude_deg"]))


def _box(reader: _WorldReader, section: str, values: Values) -> Box:
    surface = reader.surface(section, values)
    return Box(_name(section), surface, _placed(values), _tuple(values["size_m"]))


def _cylinder(reader: _WorldReader, section: str, values: Values) -> Cylinder:
    surface = reader.surface(section, values)
    size = values["radius_m"], values["height_m"], int(values["sides"])
    return Cylinder(_name(section), surface, _placed(values), *size)


def _wall(reader: _WorldReader, section: str, values: Values) -> Wall:
    surface, line = reader.surface(section, values), reader.line(section, values)
    size = values["height_m"], values["thickness_m"], values["base_m"]
    return Wall(_name(section), surface, line, *size)


def _mesh(reader: _WorldReader, section: str, values: Values) -> MeshBody:
    own = values if values["colour"] else {**values, "colour": _AS_IT_IS}
    surface, path = reader.surface(section, own), reader.folder / values["file"]
    return MeshBody(_name(section), surface, _placed(values), path, values["unit"], values["axes"])


def _start(_: _WorldReader, section: str, values: Values) -> StartPlace:
    return StartPlace(_name(section), _tuple(values["position_m"]), values["heading_deg"])


def _wind_zone(_: _WorldReader, section: str, values: Values) -> WindZone:
    centre, size, wind = (_tuple(values[key]) for key in ("centre_m", "size_m", "wind_mps"))
    return WindZone(_name(section), centre, size, wind, values["edge_m"])


def _name(section: str) -> str:
    return section.partition(".")[2]


_BODIES: Final[Mapping[str, tuple[Schema, Callable[[_WorldReader, str, Values], Body]]]] = {
    "boxes": (_BOX, _box),
    "cylinders": (_CYLINDER, _cylinder),
    "walls": (_WALL, _wall),
    "meshes": (_MESH, _mesh),
}
"""What may stand in a world: table of the file to its keys, and what is made of each."""

SCHEMAS: Final[tuple[Schema, ...]] = (
    _LIGHT,
    _GROUND,
    _RASTER,
    _TERRAIN,
    _START,
    _WIND_ZONE,
    _EARTH,
    *(schema for schema, _ in _BODIES.values()),
)
"""The keys of all tables but a scenery's."""
