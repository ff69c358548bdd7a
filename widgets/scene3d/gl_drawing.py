"""OpenGL drawing of scenes, on a graphics card or by the program that stands in for one."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from PySide6.QtGui import QImage

from telemetry.base.opengl import (
    column_bytes,
    draws_in_software,
    projection,
    renderer_of,
    upload_texture,
)
from widgets.scene3d.camera import FARTHEST_M, NEAREST_M, ViewCamera
from widgets.scene3d.draw_request import DrawRequest
from widgets.scene3d.gl_context import driver_errors, make_wait, open_gl
from widgets.scene3d.gl_shaders import (
    LINE_VERTEX,
    MESH,
    MESH_VERTEX,
    MESH_WITH_GRAIN,
    MESH_WITH_PICTURE,
    POINT_VERTEX,
    SKY_VERTEX,
    SUN_VERTEX,
    TINTED,
)
from widgets.scene3d.mesh_parts import VisibleParts, parted, stretches
from widgets.scene3d.scene import (
    Floats32,
    LinePoints,
    Picture,
    PlacedMesh,
    PointCloud,
    SolidMesh,
    SpaceLight,
    SpaceLine,
    SpaceScene,
    Triangles,
    colour_rows,
)
from widgets.scene3d.sky_meshes import dome, glow

_Value = TypeVar("_Value")
_FAINT = 0.3
_LEAST_SOFTWARE_S = 1.0 / 32.0
"""Without a graphics card pictures take processors, which others need as well."""
_STILL_SHARED = 1 << 30
_STEP_CORNERS = np.array([0, 1, 2, 2, 1, 3], np.int32)
_STEP = len(_STEP_CORNERS)
_LIGHT = ("to_sun", "sun", "ambient", "haze", "zenith", "below", "haze_per_m")


@dataclass(frozen=True, slots=True, eq=False)
class _Uploaded:
    """What the driver holds of one value; `kept` are things to let go of."""

    of: object
    vertices: Any
    kept: tuple[Any, ...]
    textures: tuple[Any, ...] = ()
    parts: VisibleParts | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """An eye with the size of its picture."""

    eye: ViewCamera
    width: int
    height: int

    @property
    def tangents(self) -> tuple[float, float]:
        return self.eye.tangents(self.width, self.height)

    def uniforms(self) -> dict[str, Any]:
        """What all vertices are turned by."""
        matrix = projection(self.tangents, NEAREST_M, FARTHEST_M)
        matrix[:, :3] = matrix[:, :3] @ self.eye.to_eye
        return {
            "eye": self.eye.position,
            "view": column_bytes(matrix),
            "half_px": (self.width / 2.0, self.height / 2.0),
            "nearest": NEAREST_M,
        }


class GlDrawing:
    """A SceneDrawing of the thread that made it."""

    def __init__(self) -> None:
        """Raises NoOpenGLError."""
        self._gl = open_gl()
        with driver_errors():
            self._prepare()

    def _prepare(self) -> None:
        gl = self._gl
        self._wait = make_wait(gl)
        self.title = renderer_of(gl)
        self.least_s = _LEAST_SOFTWARE_S if draws_in_software(gl) else 0.0
        self._target: Any = None
        self._held: dict[int, _Uploaded] = {}
        self._used: set[int] = set()
        self.uploads = 0
        """How many values were handed to the driver so far."""
        self._plain = gl.program(vertex_shader=MESH_VERTEX, fragment_shader=MESH)
        self._pictured = gl.program(vertex_shader=MESH_VERTEX, fragment_shader=MESH_WITH_PICTURE)
        self._grained = gl.program(vertex_shader=MESH_VERTEX, fragment_shader=MESH_WITH_GRAIN)
        self._grained["grain"].value = 1
        self._lines = gl.program(vertex_shader=LINE_VERTEX, fragment_shader=TINTED)
        self._points = gl.program(vertex_shader=POINT_VERTEX, fragment_shader=TINTED)
        sky = gl.program(vertex_shader=SKY_VERTEX, fragment_shader=TINTED)
        sun = gl.program(vertex_shader=SUN_VERTEX, fragment_shader=TINTED)
        self._meshes = (self._plain, self._pictured, self._grained)
        self._programs = (*self._meshes, self._lines, self._points, sky, sun)
        self._sky = self._background(sky, *dome(), "way")
        self._sun = self._background(sun, *glow(), "angles")

    def _background(self, program: Any, corners: Floats32, triangles: Triangles, name: str) -> Any:
        gl = self._gl
        buffer = (gl.buffer(corners), f"{corners.shape[1]}f", name)
        return gl.vertex_array(program, [buffer], gl.buffer(triangles))

    @property
    def held(self) -> int:
        """How many values the driver holds."""
        return len(self._held)

    def draw(self, order: DrawRequest) -> QImage:
        """See SceneDrawing. Raises NoOpenGLError."""
        with driver_errors(), self._gl:  # others may be there
            return self._drawn(order)

    def close(self) -> None:
        """See SceneDrawing."""
        for held in self._held.values():
            _release(held)
        self._held.clear()
        self._gl.release()

    def _drawn(self, order: DrawRequest) -> QImage:
        size = order.size
        target = self._target_of(size)
        target.use()
        target.clear()
        self._used = set()
        self._draw_view(order.scene, _Sight(order.eye, *size))
        if order.inset is not None:
            x, y, width, height = order.inset_place
            if width:
                # Rows are counted from the top, for the picture is drawn upside down.
                target.viewport = target.scissor = (x, y, width, height)
                target.clear(depth=1.0, viewport=(x, y, width, height))
                self._draw_view(order.scene, _Sight(order.inset, width, height))
                target.viewport, target.scissor = (0, 0, *size), None
        self._forget_unused()
        self._wait()
        picture = QImage(*size, QImage.Format.Format_RGB32)
        target.read_into(picture.bits(), components=4)
        return picture

    def _target_of(self, size: tuple[int, int]) -> Any:
        if self._target is None or self._target.size != size:
            gl, old = self._gl, self._target
            self._target = gl.framebuffer([gl.renderbuffer(size, 4)], gl.depth_renderbuffer(size))
            for part in (old, *old.color_attachments, old.depth_attachment) if old else ():
                part.release()
        return self._target

    def _draw_view(self, scene: SpaceScene, sight: _Sight) -> None:
        gl = self._gl
        gl.enable_only(gl.DEPTH_TEST | gl.PROGRAM_POINT_SIZE)
        gl.depth_func = "<="
        gl.front_face = "cw"
        seen_by_all = sight.uniforms() | _light_of(scene.light)
        for program in self._programs:
            _set(program, seen_by_all)
        seen = [placed for placed in scene.meshes if sight.eye.sees(placed)]
        solid = [placed for placed in seen if placed.opacity >= 1.0]
        glassy = [placed for placed in seen if placed.opacity < 1.0]
        self._draw_meshes(solid, sight)
        for cloud in scene.clouds:
            self._draw_cloud(cloud)
        # Behind everything, and so only where nothing else is.
        self._sky.render()
        gl.enable(gl.BLEND)
        gl.blend_func = gl.ADDITIVE_BLENDING
        self._sun.render()
        gl.blend_func = gl.DEFAULT_BLENDING
        for line in scene.lines:
            self._draw_line(line, sight)
        self._target.depth_mask = False  # what is seen through hides nothing
        self._draw_meshes(glassy, sight)
        self._target.depth_mask = True

    def _draw_meshes(self, meshes: Iterable[PlacedMesh], sight: _Sight) -> None:
        gl = self._gl
        for placed in meshes:
            mesh = placed.mesh
            held = self._held_of(mesh, self._upload_mesh)
            program = self._meshes[len(held.textures)]
            scale = sight.eye.scale_of(placed, sight.height)
            _set(
                program,
                {
                    "place": placed.position,
                    "turn": column_bytes(placed.rotation * scale),
                    "opacity": placed.opacity,
                    "is_lit": float(mesh.is_lit),
                    "grain_m": mesh.grain_m,
                },
            )
            for unit, texture in enumerate(held.textures):
                texture.use(unit)
            if held.parts is None:
                continue
            way = np.asarray(sight.eye.position) - np.asarray(placed.position)
            eye = placed.rotation.T @ way / scale
            to_eye = sight.eye.to_eye @ placed.rotation
            # Who is inside a body is no farther than its size from each of its triangles.
            outside = held.parts.beyond(eye, mesh.body_m or math.inf)
            for among, may_cull in ((outside, True), (~outside, False)):
                runs = held.parts.runs(eye, to_eye, sight.tangents, among)
                if runs and may_cull:
                    gl.enable(gl.CULL_FACE)
                for first, count in runs:
                    held.vertices.render(first=3 * first, vertices=3 * count)
                gl.disable(gl.CULL_FACE)

    def _draw_line(self, line: SpaceLine, sight: _Sight) -> None:
        points = line.line
        held = self._held_of(points, self._upload_line)
        if held.parts is None:
            return
        _set(
            self._lines,
            {
                "width_px": line.width_px,
                "opacity": line.opacity,
                "faint": _FAINT,
                "strong": _STILL_SHARED if line.strong is None else line.strong,
            },
        )
        eye = np.asarray(sight.eye.position)
        for first, count in held.parts.runs(eye, sight.eye.to_eye, sight.tangents):
            held.vertices.render(first=_STEP * first, vertices=_STEP * count)

    def _draw_cloud(self, cloud: PointCloud) -> None:
        held = self._held_of(cloud, self._upload_cloud)
        if held.vertices is not None:
            self._points["size_px"].value = cloud.size_px
            held.vertices.render(mode=self._gl.POINTS)

    # What the driver holds

    def _held_of(self, value: _Value, upload: Callable[[_Value], _Uploaded]) -> _Uploaded:
        self._used.add(id(value))
        if id(value) not in self._held:
            self._held[id(value)] = upload(value)
            self.uploads += 1
        return self._held[id(value)]

    def _forget_unused(self) -> None:
        for key in self._held.keys() - self._used:
            _release(self._held.pop(key))

    def _upload_mesh(self, mesh: SolidMesh) -> _Uploaded:
        gl = self._gl
        columns, names = [mesh.vertices, mesh.normals, mesh.colours], "3f 3f 3f"
        attributes = ["position", "normal", "colour"]
        textures: tuple[Any, ...] = ()
        if mesh.picture is not None and mesh.uv is not None:
            textures = (_texture(gl, mesh.picture),)
            if mesh.grain is not None:
                textures += (_texture(gl, mesh.grain, is_fine=True),)
            columns, names = [*columns, mesh.uv], names + " 2f"
            attributes.append("uv")
        program = self._meshes[len(textures)]
        triangles, parts = parted(mesh)
        if not len(triangles):
            return _Uploaded(mesh, None, ())
        rows = np.ascontiguousarray(np.concatenate(columns, axis=1), np.float32)
        buffer, numbers = gl.buffer(rows), gl.buffer(np.ascontiguousarray(triangles))
        vertices = gl.vertex_array(program, [(buffer, names, *attributes)], numbers)
        return _Uploaded(mesh, vertices, (vertices, buffer, numbers, *textures), textures, parts)

    def _upload_line(self, line: LinePoints) -> _Uploaded:
        """Every step as two triangles, which software draws faster than instances of one."""
        points = np.asarray(line.points, np.float32)
        if len(points) < 2:
            return _Uploaded(line, None, ())
        colours = colour_rows(line.colours, len(points))
        steps = np.concatenate([points[:-1], points[1:], colours[:-1], colours[1:]], axis=1)
        # One that is broken stays, as a step of no length, so that steps go on being counted.
        broken = np.isnan(steps).any(axis=1)
        steps[broken, :6] = np.tile(_anywhere(points), 2)
        parts = stretches(steps[:, :6].reshape(-1, 2, 3).astype(np.float64))
        gl, corners = self._gl, np.ascontiguousarray(np.repeat(steps, 4, axis=0), np.float32)
        numbers = 4 * np.arange(len(steps), dtype=np.int32)[:, None] + _STEP_CORNERS
        buffer, order = gl.buffer(corners), gl.buffer(np.ascontiguousarray(numbers))
        names = ("start", "end", "start_colour", "end_colour")
        vertices = gl.vertex_array(self._lines, [(buffer, "3f 3f 3f 3f", *names)], order)
        return _Uploaded(line, vertices, (vertices, buffer, order), parts=parts)

    def _upload_cloud(self, cloud: PointCloud) -> _Uploaded:
        if not len(cloud.points):
            return _Uploaded(cloud, None, ())
        colours = colour_rows(cloud.colours, len(cloud.points))
        rows = np.concatenate([cloud.points, colours], axis=1).astype(np.float32)
        buffer = self._gl.buffer(np.ascontiguousarray(rows))
        names = ("position", "colour")
        vertices = self._gl.vertex_array(self._points, [(buffer, "3f 3f", *names)])
        return _Uploaded(cloud, vertices, (vertices, buffer))


def _release(held: _Uploaded) -> None:
    for part in held.kept:
        part.release()


def _anywhere(points: Floats32) -> Floats32:
    """One of the points (n, 3) of a line that is not broken there."""
    known = points[~np.isnan(points).any(axis=1)]
    return known[0] if len(known) else np.zeros(3, np.float32)


def _set(program: Any, values: dict[str, Any]) -> None:
    """Tell a program what it uses of these."""
    for name, value in values.items():
        if name not in program:
            continue
        if isinstance(value, bytes):
            program[name].write(value)
        else:
            program[name].value = value


def _light_of(light: SpaceLight) -> dict[str, Any]:
    return {name: getattr(light, name) for name in _LIGHT}


def _texture(gl: Any, pixels: Picture, *, is_fine: bool = False) -> Any:
    """It repeats, and is seen smaller without flickering; noise that `is_fine` needs no care."""
    texture = upload_texture(gl, pixels)
    if draws_in_software(gl):
        # What a graphics card does at no cost takes half as long again.
        smaller = gl.NEAREST_MIPMAP_NEAREST if is_fine else gl.LINEAR_MIPMAP_NEAREST
    else:
        smaller = gl.LINEAR_MIPMAP_LINEAR
    texture.filter = (smaller, gl.LINEAR)
    return texture
