"""Pictures of a scene, drawn without a display.

Frames: the world is NED, the camera's axes are x along its line of sight, y right, z down, so
that a point (x, y, z) of the camera's is seen at column centre + focal * y / x and row
centre + focal * z / x.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.gl_context import open_context
from simulation.worlds.scene import Mesh, Picture, WorldScene
from simulation.worlds.shaders import BODIES, GROUND, SKY, SKY_VERTEX, VERTEX

Array = npt.NDArray[np.float64]

_NEAR_M, _FAR_M = 0.05, 15_000.0
_CELLS = 24
"""Meshes are drawn in so many squares by so many, of which only those in view are."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraView:
    """Where a picture is taken: NED metres, and the rotation (3, 3) of NED into the camera."""

    position: Array
    to_camera: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Triangles that are drawn together, and the sphere around them."""

    first: int
    count: int
    centre: Array
    radius: float


class SceneRenderer:
    """Draws one scene, by OpenGL; without a display and without a graphics card as well. Used by
    one thread."""

    def __init__(self, scene: WorldScene, size: tuple[int, int], field_of_view_deg: float) -> None:
        """`size`: width and height in pixels; the field of view is horizontal. Raises
        NoRendererError."""
        self.size = size
        self._gl = gl = open_context()
        self._tangent = float(np.tan(np.radians(field_of_view_deg) / 2))
        self._target = gl.framebuffer([gl.renderbuffer(size, 4)], gl.depth_renderbuffer(size))
        textures = {
            "picture": _texture(gl, scene.picture.pixels),
            "grain": _texture(gl, scene.grain),
            "clouds": _texture(gl, scene.clouds),
        }
        self._units = {name: unit for unit, name in enumerate(textures)}
        for name, texture in textures.items():
            texture.use(self._units[name])
        self._sky = self._program(SKY_VERTEX, SKY, scene)
        corners = np.array([-1, -1, 3, -1, -1, 3], np.float32)
        self._sky_vertices = gl.vertex_array(self._sky, [(gl.buffer(corners), "2f", "corner")])
        ground = self._program(VERTEX, GROUND, scene)
        bodies = self._program(VERTEX, BODIES, scene)
        self._surfaces = [
            (ground, *_uploaded(gl, ground, scene.ground)),
            (bodies, *_uploaded(gl, bodies, scene.bodies)),
        ]
        self._bytes = np.empty((size[1], size[0], 4), np.uint8)

    def draw(self, view: CameraView) -> Picture:
        """The picture, BGR, (height, width, 3)."""
        gl = self._gl
        width, height = self.size
        half = self._tangent, self._tangent * height / width
        self._target.use()
        self._target.clear()
        gl.disable(gl.DEPTH_TEST)
        self._sky["to_ned"].write(_columns(view.to_camera.T))
        self._sky["half_size"].value = half
        self._sky_vertices.render()
        gl.enable(gl.DEPTH_TEST)
        projection = _columns(_projection(half) @ _affine(view.to_camera))
        for program, vertices, parts in self._surfaces:
            program["eye"].value = tuple(view.position)
            program["view"].write(projection)
            for part in parts:
                if _is_in_view(part, view, half):
                    vertices.render(vertices=part.count, first=part.first)
        self._target.read_into(self._bytes, components=4)
        return self._bytes[..., :3]

    def _program(self, vertex: str, fragment: str, scene: WorldScene) -> Any:
        """Compiled, and told what does not change. A name that it does not use is left out."""
        program = self._gl.program(vertex_shader=vertex, fragment_shader=fragment)
        light = scene.light
        values: dict[str, Any] = {
            "to_sun": light.to_sun,
            "sun": light.sun,
            "ambient": light.ambient,
            "haze": light.haze,
            "zenith": light.zenith,
            "haze_per_m": light.haze_per_m,
            "width_m": scene.picture.width_m,
            **self._units,
        }
        for name, value in values.items():
            if name in program:
                program[name].value = value
        return program

    def close(self) -> None:
        """Let go of what was drawn with."""
        self._gl.release()


def _texture(gl: Any, pixels: Picture) -> Any:
    """It repeats, and is seen smaller without flickering."""
    import moderngl

    height, width = pixels.shape[:2]
    channels = 1 if pixels.ndim == 2 else 3
    texture = gl.texture((width, height), channels, np.ascontiguousarray(pixels).tobytes())
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


def _uploaded(gl: Any, program: Any, mesh: Mesh) -> tuple[Any, list[_Part]]:
    triangles, parts = _parts(mesh)
    rows = np.concatenate([mesh.vertices, mesh.normals, mesh.colours], axis=1)
    names = ("position", "normal", "colour")
    vertices = gl.vertex_array(
        program,
        [(gl.buffer(np.ascontiguousarray(rows)), "3f 3f 3f", *names)],
        gl.buffer(np.ascontiguousarray(triangles)),
    )
    return vertices, parts


def _parts(mesh: Mesh) -> tuple[npt.NDArray[np.int32], list[_Part]]:
    """The triangles in the order of squares on the ground, and the squares."""
    corners = mesh.vertices[mesh.triangles]
    middle = corners.mean(axis=1)[:, :2]
    # Squares hold about as many triangles each: the borders are quantiles.
    shares = np.linspace(0.0, 1.0, _CELLS + 1)[1:-1]
    row = np.searchsorted(np.quantile(middle[:, 0], shares), middle[:, 0])
    column = np.searchsorted(np.quantile(middle[:, 1], shares), middle[:, 1])
    cell = row * _CELLS + column
    order = np.argsort(cell, kind="stable")
    parts = []
    for first, count in zip(*_runs(cell[order]), strict=True):
        points = corners[order[first : first + count]].reshape(-1, 3)
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0)).astype(np.float64)
        radius = float(np.linalg.norm(points - centre, axis=1).max())
        parts.append(_Part(3 * int(first), 3 * int(count), centre, radius))
    return mesh.triangles[order], parts


def _runs(cells: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    return first, np.diff(first, append=len(cells))


def _is_in_view(part: _Part, view: CameraView, half: tuple[float, float]) -> bool:
    """Whether the sphere around it touches the pyramid that the camera sees."""
    x, y, z = view.to_camera @ (part.centre - view.position)
    if x < -part.radius:
        return False
    for across, tangent in ((abs(y), half[0]), (abs(z), half[1])):
        if across - x * tangent > part.radius * float(np.hypot(1.0, tangent)):
            return False
    return True


def _projection(half: tuple[float, float]) -> Array:
    """From the camera's axes to clip space, the picture's rows from the top."""
    scale = (_FAR_M + _NEAR_M) / (_FAR_M - _NEAR_M)
    shift = -2.0 * _FAR_M * _NEAR_M / (_FAR_M - _NEAR_M)
    return np.array(
        [
            [0.0, 1.0 / half[0], 0.0, 0.0],
            [0.0, 0.0, 1.0 / half[1], 0.0],
            [scale, 0.0, 0.0, shift],
            [1.0, 0.0, 0.0, 0.0],
        ]
    )


def _affine(rotation: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    return matrix


def _columns(matrix: Array) -> bytes:
    """As OpenGL takes matrices: column by column."""
    return np.ascontiguousarray(matrix.T, np.float32).tobytes()
