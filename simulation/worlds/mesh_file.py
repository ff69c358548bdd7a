"""Meshes from OBJ and glTF files, read by trimesh, for the bodies of a world."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.worlds.picture_file import LARGEST_SIDE, picture_of, read_bytes
from simulation.worlds.scene import Picture
from simulation.worlds.world import WorldError
from telemetry.base.text_formats import FormatError, parse_json

Array = npt.NDArray[np.float64]

SUFFIXES: Final = (".obj", ".glb", ".gltf")
AXES: Final[Mapping[str, Array]] = {
    "y-up": np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]),
    "z-up": np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]),
    "ned": np.eye(3),
}
"""From a file's x, y, z to north, east, down. With y up, x is east and z is south, as Blender
writes glTF and OBJ; with z up, x is east and y is north."""
UNITS_M: Final[Mapping[str, float]] = {
    "m": 1.0,
    "cm": 0.01,
    "mm": 0.001,
    "in": 0.0254,
    "ft": 0.3048,
}
_LARGEST_BYTES: Final = 64 << 20
_MOST_TRIANGLES: Final = 1_000_000
_LARGEST_M: Final = 20_000.0
_SMALLEST_M: Final = 0.001
_TOO_MANY: Final = (
    "The mesh {path} has {count:,} triangles; {most:,} are possible. Make it coarser, for example "
    "by Blender's Decimate."
)
_PICTURES: Final = (".png", ".jpg", ".jpeg")


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    """Triangles of one material, three vertices each: `corners` (3 m, 3) are NED metres from the
    mesh's origin, `colours` (3 m, 3), `places` (3 m, 2) as `PicturedMesh` has them."""

    corners: Array
    colours: Array
    places: Array
    pixels: Picture | None


@dataclass(frozen=True, slots=True, eq=False)
class MeshFile:
    """What is in a file. `is_open`: its surfaces do not enclose a space."""

    parts: tuple[MeshPart, ...]
    is_open: bool


def read_mesh(path: Path, unit: str, axes: str) -> MeshFile:
    """`unit` is a key of UNITS_M, `axes` of AXES. Raises WorldError."""
    if path.suffix.lower() not in SUFFIXES:
        raise WorldError(f"The mesh {path} is of no kind that is read; give .obj, .glb or .gltf.")
    data = read_bytes(path, "mesh", _LARGEST_BYTES)
    import trimesh

    beside = _FilesBeside(path)
    try:
        _check_counts(path, data)
        scene = trimesh.load_scene(
            BytesIO(data), file_type=path.suffix[1:].lower(), resolver=beside, process=False
        )
        _check_size(path, scene)
        found = [part for part in scene.dump() if isinstance(part, trimesh.Trimesh)]
        with np.errstate(invalid="ignore", over="ignore"):
            parts = tuple(_parts(found, AXES[axes].T * UNITS_M[unit]))
        _check_numbers(path, parts, unit)
        is_open = not all(_is_closed(part) for part in found)
    except WorldError:
        raise
    except IndexError as error:
        raise WorldError(
            f"The mesh {path} has a face between corners that it does not have; write it anew by "
            "its program."
        ) from error
    except Exception as error:  # of any kind, for what is damaged
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WorldError(
            f"The mesh {path} cannot be read ({what}); write it anew by its program."
        ) from error
    finally:
        beside.complain()
    return MeshFile(parts, is_open)


class _FilesBeside:
    """Hands trimesh the files that a mesh names; what is wrong with them, it would swallow."""

    def __init__(self, path: Path) -> None:
        self._mesh, self._folder = path, path.parent.resolve()
        self._problem: WorldError | None = None

    def get(self, name: str) -> bytes:
        """The content of a file. Raises WorldError."""
        try:
            path = (self._folder / name.strip()).resolve()
            if not path.is_relative_to(self._folder):
                raise WorldError(
                    f"The mesh {self._mesh} asks for {name}; put that into the mesh's folder."
                )
            data = read_bytes(path, f"file that {self._mesh.name} names,", _LARGEST_BYTES)
            if path.suffix.lower() in _PICTURES:
                picture_of(data, path)
        except (WorldError, ValueError) as error:
            self._problem = self._problem or WorldError(str(error))
            raise
        return data

    __getitem__ = get

    def complain(self) -> None:
        """Raise what was wrong with the first file."""
        if self._problem is not None:
            raise self._problem from None


def _check_counts(path: Path, data: bytes) -> None:
    """Refuse glTF that says it has more than there can be, for which memory would be taken."""
    if path.suffix.lower() == ".obj":
        return
    is_binary = data[:4] == b"glTF"
    text = data[20 : 20 + int.from_bytes(data[12:16], "little")] if is_binary else data
    try:
        content = parse_json(text, _LARGEST_BYTES)
    except FormatError:
        content = None
    if is_binary != (path.suffix.lower() == ".glb") or not isinstance(content, dict):
        raise WorldError(
            f"The mesh {path} is no {path.suffix} file, or is damaged; write it anew by its "
            "program, or name one that is."
        )
    for accessor in content.get("accessors", ()):
        if accessor["count"] > 3 * _MOST_TRIANGLES:
            raise WorldError(
                _TOO_MANY.format(path=path, count=accessor["count"] // 3, most=_MOST_TRIANGLES)
            )


def _check_size(path: Path, scene: Any) -> None:
    """Before its parts are copied to all their places."""
    graph = scene.graph
    parts = (scene.geometry[graph[node][1]] for node in graph.nodes_geometry)
    count = sum(len(part.faces) for part in parts if hasattr(part, "faces"))
    if not count:
        raise WorldError(f"The mesh {path} has no triangles; write it anew, with its surfaces.")
    if count > _MOST_TRIANGLES:
        raise WorldError(_TOO_MANY.format(path=path, count=count, most=_MOST_TRIANGLES))


def _check_numbers(path: Path, parts: tuple[MeshPart, ...], unit: str) -> None:
    corners = np.concatenate([part.corners for part in parts])
    wrong = int((~np.isfinite(corners)).any(axis=1).sum())
    if wrong:
        raise WorldError(
            f"The mesh {path} has {wrong} corners that are no numbers (NaN or infinite); write it "
            "anew by its program."
        )
    size = float((corners.max(axis=0) - corners.min(axis=0)).max())
    if not _SMALLEST_M <= size <= _LARGEST_M:
        raise WorldError(
            f"The mesh {path} is {size:g} m large if its unit is {unit}; write the unit it has: "
            f"unit = {', '.join(UNITS_M)}."
        )


def _parts(found: list[Any], to_ned: Array) -> Iterator[MeshPart]:
    for part in found:
        faces = np.asarray(part.faces)
        corners = np.asarray(part.vertices, np.float64)[faces].reshape(-1, 3) @ to_ned
        colours, places, pixels = _look(part, faces.ravel())
        yield MeshPart(corners, colours, places, pixels)


def _look(part: Any, corner: npt.NDArray[Any]) -> tuple[Array, Array, Picture | None]:
    """Colours, places in the picture, and the picture of a mesh at these vertices."""
    visual, n = part.visual, len(corner)
    colours, places = np.full((n, 3), 0.7), np.zeros((n, 2))
    if visual.kind == "texture":
        material = visual.material
        image = getattr(material, "baseColorTexture", None) or getattr(material, "image", None)
        colours[:] = np.asarray(material.main_color, np.float64)[:3] / 255.0
        if image is not None and visual.uv is not None:
            places = np.asarray(visual.uv, np.float64)[corner] * (1.0, -1.0) + (0.0, 1.0)
            tint = getattr(material, "baseColorFactor", None)
            colours[:] = 1.0 if tint is None else np.asarray(tint, np.float64)[:3] / 255.0
            if max(image.size) > LARGEST_SIDE:
                raise ValueError(f"a picture in it has more than {LARGEST_SIDE} pixels a side")
            return colours, places, np.array(image.convert("RGB"), np.uint8)
    elif visual.kind is not None:
        colours = np.asarray(visual.vertex_colors, np.float64)[corner, :3] / 255.0
    return colours, places, None


def _is_closed(part: Any) -> bool:
    """Whether every edge has two triangles. Vertices are doubled where materials or normals change,
    so that equal ones are taken together."""
    merged = part.copy()
    merged.merge_vertices(merge_tex=True, merge_norm=True)
    return bool(merged.is_watertight)
