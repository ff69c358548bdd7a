"""Renderer: pictures of a scene, drawn without a display.

Frames: the world is NED, the camera's axes are x along its line of sight, y right, z down, so
that a point (x, y, z) of the camera's is seen at column centre + focal * y / x and row
centre + focal * z / x.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.closed_bodies import turned
from simulation.worlds.gl_context import open_context, renderer_name
from simulation.worlds.scene import Floats, Mesh, Picture, Triangles, WorldScene
from simulation.worlds.shaders import (
    BODIES,
    GROUND,
    PICTURED,
    PICTURED_VERTEX,
    SKY,
    SURFACE_VERTEX,
)
from simulation.worlds.visible_parts import MeshParts, PartsInView, parts_of
from telemetry.base.opengl import (
    BACKGROUND_CORNERS,
    BACKGROUND_VERTEX,
    column_bytes,
    projection,
    upload_texture,
)

Array = npt.NDArray[np.float64]

_NEAR_M, _FAR_M = 0.05, 15_000.0


@dataclass(frozen=True, slots=True, eq=False)
class CameraView:
    """Where a picture is taken: NED metres, and the rotation (3, 3) of NED into the camera."""

    position: Array
    to_camera: Array


@dataclass(frozen=True, slots=True, eq=False)
class SeenView:
    """A picture, BGR, (height, width, 3), and what its pixels see, (height, width): `nearness` is
    one over how many metres ahead it is, which changes evenly over a plane, 0 for the sky;
    `segments` its number in `WorldScene.segments`, -1 for the sky."""

    picture: Picture
    nearness: Floats
    segments: Floats


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

    def __init__(
        self, scene: WorldScene, size: tuple[int, int], focal_px: float, is_gpu: bool = False
    ) -> None:
        """`size`: width and height in pixels, and the focal length, of pictures that are not
        asked for in others. Raises NoRendererError."""
        self.size = size
        self._gl = gl = open_context(is_gpu)
        self.name = renderer_name(gl)
        self._focal = focal_px
        self._target = _target(gl, size)
        textures = {
            "picture": _texture(gl, scene.picture.pixels),
            "grain": _texture(gl, scene.grain),
            "clouds": _texture(gl, scene.clouds),
        }
        self._units = {name: unit for unit, name in enumerate([*textures, "body"])}
        for name, texture in textures.items():
            texture.use(self._units[name])
        self._sky = self._program(BACKGROUND_VERTEX, SKY, scene)
        corners = gl.buffer(BACKGROUND_CORNERS)
        self._sky_vertices = gl.vertex_array(self._sky, [(corners, "2f", "corner")])
        self._surfaces = list(self._uploaded(scene))
        self._programs = list({id(s.program): s.program for s in self._surfaces}.values())
        self._parts = PartsInView([surface.parts for surface in self._surfaces])

    def draw(self, view: CameraView) -> Picture:
        """The picture, BGR, (height, width, 3)."""
        with self._gl as gl:  # others may be there
            self._draw(gl, view, self.size, self._focal)
            return self._picture(self.size)

    def look(
        self,
        view: CameraView,
        size: tuple[int, int] | None = None,
        focal_px: float | None = None,
    ) -> SeenView:
        """The picture and what is seen in it."""
        import cv2

        size = size or self.size
        with self._gl as gl:
            if any(side > most for side, most in zip(size, self._target.size, strict=True)):
                self._target.release()
                self._target = _target(gl, size)
            self._draw(gl, view, size, focal_px or self._focal)
            seen = np.empty((size[1], size[0], 2), np.float32)
            self._target.read_into(seen, (0, 0, *size), components=2, attachment=1, dtype="f4")
            nearness, segments = cv2.split(seen)
            return SeenView(self._picture(size), np.asarray(nearness), np.asarray(segments))

    def close(self) -> None:
        """Let go of what was drawn with."""
        self._gl.release()

    def _draw(self, gl: Any, view: CameraView, size: tuple[int, int], focal_px: float) -> None:
        half = size[0] / 2 / focal_px, size[1] / 2 / focal_px
        self._target.viewport = (0, 0, *size)
        self._target.use()
        self._target.clear()
        gl.enable(gl.DEPTH_TEST)
        gl.depth_func = "<="
        gl.front_face = "cw"
        turned_view = column_bytes(projection(half, _NEAR_M, _FAR_M) @ _affine(view.to_camera))
        for program in self._programs:
            program["eye"].value = tuple(view.position)
            program["view"].write(turned_view)
        for run in self._parts.runs(view.position, view.to_camera, half):
            surface = self._surfaces[run.mesh]
            if surface.texture is not None:
                surface.texture.use(self._units["body"])
            if run.is_outside:
                gl.enable(gl.CULL_FACE)
            else:
                gl.disable(gl.CULL_FACE)
            surface.vertices.render(first=3 * run.first, vertices=3 * run.count)
        gl.disable(gl.CULL_FACE)
        # Behind everything, and so only where nothing else is.
        self._sky["to_ned"].write(column_bytes(view.to_camera.T))
        self._sky["half_size"].value = half
        self._sky_vertices.render()

    def _picture(self, size: tuple[int, int]) -> Picture:
        import cv2

        pixels = np.empty((size[1], size[0], 4), np.uint8)
        self._target.read_into(pixels, (0, 0, *size), components=4)
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR))

    def _uploaded(self, scene: WorldScene) -> Iterator[_Surface]:
        """All meshes, in the order in which their triangles are numbered."""
        counts = [len(mesh.triangles) for mesh in scene.meshes]
        numbers = np.split(scene.segments().numbers, np.cumsum(counts)[:-1])
        for fragment, mesh, own in zip((GROUND, BODIES), scene.meshes, numbers, strict=False):
            if len(mesh.triangles):
                program = self._program(SURFACE_VERTEX, fragment, scene)
                for half in _uploaded(self._gl, program, mesh, own):
                    yield _Surface(program, *half)
        if scene.pictured:
            program = self._program(PICTURED_VERTEX, PICTURED, scene)
        for body, own in zip(scene.pictured, numbers[2:], strict=True):
            texture = _texture(self._gl, body.pixels)
            for half in _uploaded(self._gl, program, body.mesh, own, body.places):
                yield _Surface(program, *half, texture)

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
            "size_m": scene.picture.size_m,
            "middle_m": scene.picture.middle_m,
            **self._units,
        }
        for name, value in values.items():
            if name in program:
                program[name].value = value
        return program


def _target(gl: Any, size: tuple[int, int]) -> Any:
    """What is drawn into: colours, and what is seen."""
    layers = [gl.renderbuffer(size, 4), gl.renderbuffer(size, 2, dtype="f4")]
    return gl.framebuffer(layers, gl.depth_renderbuffer(size))


def _texture(gl: Any, pixels: Picture) -> Any:
    """It repeats, and is seen smaller without flickering."""
    import moderngl

    texture = upload_texture(gl, pixels)
    # Between two sizes of a picture is faded; of a grey tile, whose means are alike, nobody sees
    # where they change, and that takes half the time.
    smaller = moderngl.LINEAR_MIPMAP_LINEAR if pixels.ndim == 3 else moderngl.LINEAR_MIPMAP_NEAREST
    texture.filter = (smaller, moderngl.LINEAR)
    return texture


def _uploaded(
    gl: Any, program: Any, mesh: Mesh, numbers: Triangles, places: Floats | None = None
) -> Iterator[tuple[Any, MeshParts]]:
    """Its closed bodies, and the rest. `numbers` (triangles,) are those of segments; a vertex
    between two of them is there twice."""
    count = int(numbers.max(initial=0)) + 1
    keys = mesh.triangles.astype(np.int64) * count + numbers[:, None]
    used, triangles = np.unique(keys, return_inverse=True)
    vertex, number = np.divmod(used, count)
    own = Mesh(
        mesh.vertices[vertex],
        mesh.normals[vertex],
        mesh.colours[vertex],
        triangles.reshape(-1, 3).astype(np.int32),
    )
    columns = [own.vertices, own.normals, own.colours, number[:, None]]
    layout, names = "3f 3f 3f 1f", ["position", "normal", "colour", "number"]
    if places is not None:
        columns.append(places[vertex])
        layout, names = f"{layout} 2f", [*names, "at"]
    rows = gl.buffer(np.ascontiguousarray(np.concatenate(columns, axis=1), np.float32))
    for half in turned(own).halves():
        if len(half.mesh.triangles):
            parts = parts_of(half)
            index = gl.buffer(np.ascontiguousarray(parts.triangles))
            yield gl.vertex_array(program, [(rows, layout, *names)], index), parts


def _affine(rotation: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    return matrix
