"""Pictures of a scene, drawn without a display.

Frames: the world is NED, the camera's axes are x along its line of sight, y right, z down, so
that a point (x, y, z) of the camera's is seen at column centre + focal * y / x and row
centre + focal * z / x.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.gl_context import open_context
from simulation.worlds.scene import Floats, Mesh, Picture, WorldScene
from simulation.worlds.shaders import (
    BODIES,
    GROUND,
    PICTURED,
    PICTURED_VERTEX,
    SKY,
    SKY_VERTEX,
    SURFACE_VERTEX,
)
from simulation.worlds.visible_parts import MeshParts, parts_of

Array = npt.NDArray[np.float64]

_NEAR_M, _FAR_M = 0.05, 15_000.0


@dataclass(frozen=True, slots=True, eq=False)
class CameraView:
    """Where a picture is taken: NED metres, and the rotation (3, 3) of NED into the camera."""

    position: Array
    to_camera: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Surface:
    """Triangles on the graphics card, their squares, and the picture on them, if they have one of
    their own."""

    program: Any
    vertices: Any
    parts: MeshParts
    texture: Any = None


class SceneRenderer:
    """Draws one scene, by OpenGL; without a display and without a graphics card as well. Used by
    one thread."""

    def __init__(self, scene: WorldScene, size: tuple[int, int], focal_px: float) -> None:
        """`size`: width and height in pixels. Raises NoRendererError."""
        self.size = size
        self._gl = gl = open_context()
        self._tangents = size[0] / 2 / focal_px, size[1] / 2 / focal_px
        self._target = gl.framebuffer([gl.renderbuffer(size, 4)], gl.depth_renderbuffer(size))
        textures = {
            "picture": _texture(gl, scene.picture.pixels),
            "grain": _texture(gl, scene.grain),
            "clouds": _texture(gl, scene.clouds),
        }
        self._units = {name: unit for unit, name in enumerate([*textures, "body"])}
        for name, texture in textures.items():
            texture.use(self._units[name])
        self._sky = self._program(SKY_VERTEX, SKY, scene)
        corners = np.array([-1, -1, 3, -1, -1, 3], np.float32)
        self._sky_vertices = gl.vertex_array(self._sky, [(gl.buffer(corners), "2f", "corner")])
        self._surfaces = [*self._plain(scene), *self._pictured(scene)]
        self._bytes = np.empty((size[1], size[0], 4), np.uint8)

    def draw(self, view: CameraView) -> Picture:
        """The picture, BGR, (height, width, 3)."""
        import cv2

        with self._gl as gl:  # others may be there
            self._draw(gl, view)
        return np.asarray(cv2.cvtColor(self._bytes, cv2.COLOR_BGRA2BGR))

    def close(self) -> None:
        """Let go of what was drawn with."""
        self._gl.release()

    def _draw(self, gl: Any, view: CameraView) -> None:
        half = self._tangents
        self._target.use()
        self._target.clear()
        gl.enable(gl.DEPTH_TEST)
        gl.depth_func = "<="
        projection = _columns(_projection(half) @ _affine(view.to_camera))
        for surface in self._surfaces:
            surface.program["eye"].value = tuple(view.position)
            surface.program["view"].write(projection)
            if surface.texture is not None:
                surface.texture.use(self._units["body"])
            for first, count in surface.parts.runs(view.position, view.to_camera, half):
                surface.vertices.render(first=3 * first, vertices=3 * count)
        # Behind everything, and so only where nothing else is.
        self._sky["to_ned"].write(_columns(view.to_camera.T))
        self._sky["half_size"].value = half
        self._sky_vertices.render()
        self._target.read_into(self._bytes, components=4)

    def _plain(self, scene: WorldScene) -> Iterator[_Surface]:
        for fragment, mesh in ((GROUND, scene.ground), (BODIES, scene.bodies)):
            if len(mesh.triangles):
                program = self._program(SURFACE_VERTEX, fragment, scene)
                yield _Surface(program, *_uploaded(self._gl, program, mesh))

    def _pictured(self, scene: WorldScene) -> Iterator[_Surface]:
        if not scene.pictured:
            return
        program = self._program(PICTURED_VERTEX, PICTURED, scene)
        for body in scene.pictured:
            vertices = _uploaded(self._gl, program, body.mesh, body.places)
            yield _Surface(program, *vertices, _texture(self._gl, body.pixels))

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


def _texture(gl: Any, pixels: Picture) -> Any:
    """It repeats, and is seen smaller without flickering."""
    import moderngl

    height, width = pixels.shape[:2]
    # Four bytes a pixel, whatever is used of them: drawn in software, others take twice as long.
    padded = np.full((height, width, 4), 255, np.uint8)
    padded[..., :3] = pixels if pixels.ndim == 3 else pixels[..., None]
    texture = gl.texture((width, height), 4, padded.tobytes())
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


def _uploaded(
    gl: Any, program: Any, mesh: Mesh, places: Floats | None = None
) -> tuple[Any, MeshParts]:
    parts = parts_of(mesh)
    columns = [mesh.vertices, mesh.normals, mesh.colours]
    layout, names = "3f 3f 3f", ["position", "normal", "colour"]
    if places is not None:
        columns.append(places)
        layout, names = f"{layout} 2f", [*names, "at"]
    rows = np.ascontiguousarray(np.concatenate(columns, axis=1), np.float32)
    vertices = gl.vertex_array(
        program,
        [(gl.buffer(rows), layout, *names)],
        gl.buffer(np.ascontiguousarray(parts.triangles)),
    )
    return vertices, parts


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
