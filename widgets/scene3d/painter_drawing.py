"""Painter drawing of scenes, for computers without OpenGL: what is far first.

Triangles that lie in each other are not told apart, and pictures become one colour a triangle.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPen, QPolygonF

from widgets.scene3d.camera import NEAREST_M, ViewCamera
from widgets.scene3d.draw_request import DrawRequest
from widgets.scene3d.mesh_parts import VisibleParts, parted
from widgets.scene3d.scene import (
    Floats,
    Floats32,
    PlacedMesh,
    PointCloud,
    Rgb,
    SolidMesh,
    SpaceLight,
    SpaceLine,
    SpaceScene,
    Triangles,
    colour_rows,
)

Numbers = npt.NDArray[np.int64]

_MOST_TRIANGLES = 3000
"""Of them those are drawn that are largest in the picture."""
_MOST_STEPS = 6000
"""Of all lines, before they are thinned out."""
_COLOUR_STEPS = 12
_MOST_POINTS = 4000
_FAINT = 0.3
_NEAR_M = 2.0 * NEAREST_M


@dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    """Triangles in the picture: pixels (n, 3, 2), how far away (n,), and colours (n, 4), with how
    opaque they are as the last."""

    pixels: Floats
    depth: Floats
    colours: Floats


class PainterDrawing:
    """A SceneDrawing without OpenGL."""

    title = "drawn without OpenGL"
    uploads = 0
    least_s = 1.0 / 16.0

    def __init__(self) -> None:
        self._cut: dict[int, tuple[SolidMesh, Triangles, VisibleParts]] = {}

    def draw(self, order: DrawRequest) -> QImage:
        """See SceneDrawing."""
        kept, self._cut = self._cut, {}
        for placed in order.scene.meshes:
            mesh = placed.mesh
            self._cut[id(mesh)] = kept.get(id(mesh)) or (mesh, *parted(mesh))
        picture = QImage(order.width, order.height, QImage.Format.Format_RGB32)
        with QPainter(picture) as painter:
            self._paint(painter, order.scene, order.eye, order.size)
            if order.inset is not None:
                x, y, width, height = order.inset_place
                if width:
                    painter.translate(x, y)
                    painter.setClipRect(0, 0, width, height)
                    self._paint(painter, order.scene, order.inset, (width, height))
        return picture

    def close(self) -> None:
        """See SceneDrawing."""
        self._cut.clear()

    def _perhaps_seen(
        self, placed: PlacedMesh, eye: ViewCamera, size: tuple[int, int]
    ) -> Triangles:
        _, triangles, parts = self._cut[id(placed.mesh)]
        way = np.asarray(eye.position) - np.asarray(placed.position)
        here = placed.rotation.T @ way / eye.scale_of(placed, size[1])
        runs = parts.runs(here, eye.to_eye @ placed.rotation, eye.tangents(*size))
        return np.concatenate([triangles[:0], *(triangles[a : a + count] for a, count in runs)])

    def _paint(
        self, painter: QPainter, scene: SpaceScene, eye: ViewCamera, size: tuple[int, int]
    ) -> None:
        _paint_sky(painter, scene.light, eye, size)
        seen = (placed for placed in scene.meshes if eye.sees(placed))
        flat = [
            _flattened(placed, self._perhaps_seen(placed, eye, size), scene.light, eye, size)
            for placed in seen
        ]
        _paint_triangles(painter, flat)
        for cloud in scene.clouds:
            _paint_cloud(painter, cloud, eye, size)
        every = 1 + sum(len(line.line.points) for line in scene.lines) // _MOST_STEPS
        for line in scene.lines:
            _paint_line(painter, line, every, eye, size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _paint_sky(
    painter: QPainter, light: SpaceLight, eye: ViewCamera, size: tuple[int, int]
) -> None:
    """Sky above the horizon, which may lie askew, and what is below it."""
    width, height = size
    painter.fillRect(0, 0, width, height, _color(light.below))
    _, down = eye.tangents(width, height)
    focal = height / 2.0 / down
    # The plane of the horizon by its normal, which points to the Earth's centre.
    ahead, right, below = np.linalg.inv(eye.to_eye)[2]
    slope = np.hypot(right, below)
    if slope < 1e-6:
        painter.fillRect(0, 0, width, height, _color(light.below if ahead > 0 else light.zenith))
        return
    painter.save()
    painter.translate(width / 2.0, height / 2.0)
    painter.rotate(float(np.degrees(np.arctan2(-right, below))))
    horizon, reach = float(-ahead * focal / slope), 4.0 * (width + height)
    sky = QLinearGradient(0.0, horizon, 0.0, horizon - focal)
    sky.setColorAt(0.0, _color(light.haze))
    sky.setColorAt(1.0, _color(light.zenith))
    painter.fillRect(QRectF(-reach, horizon - reach, 2 * reach, reach), sky)
    painter.restore()


def _flattened(
    placed: PlacedMesh,
    triangles: Triangles,
    light: SpaceLight,
    eye: ViewCamera,
    size: tuple[int, int],
) -> _Flat:
    """Triangles of a mesh in the picture, those behind the eye left out."""
    scale, tangents = eye.scale_of(placed, size[1]), eye.tangents(*size)
    used, numbers = np.unique(triangles, return_inverse=True)
    vertices = placed.mesh.vertices[used] @ (placed.rotation * scale).T
    seen = (vertices + (np.asarray(placed.position) - np.asarray(eye.position))) @ eye.to_eye.T
    corners = seen[numbers.reshape(-1, 3)]
    in_front = (corners[..., 0] > _NEAR_M).any(axis=1)
    for axis, tangent in enumerate(tangents, 1):  # quite to one side of the picture
        for side in (1.0, -1.0):
            in_front &= (side * corners[..., axis] < tangent * corners[..., 0]).any(axis=1)
    corners = corners[in_front]
    colours = _colours(placed, light, triangles[in_front], corners)
    corners, which = _clipped(corners)
    pixels = corners[..., 1:] / corners[..., :1] / np.array(tangents)
    pixels = (1.0 + pixels) * (np.array(size) / 2.0)
    return _Flat(pixels, corners[..., 0].mean(axis=1), colours[which])


def _clipped(corners: Floats) -> tuple[Floats, Floats]:
    """The parts of triangles (n, 3, 3) in front of the eye, and which each is a part of."""
    behind = corners[..., 0] <= _NEAR_M
    number, everything = behind.sum(axis=1), np.arange(len(corners))
    parts, which = [corners[number == 0]], [everything[number == 0]]
    for lost in (1, 2):
        chosen = number == lost
        # With the corner that differs from the others first.
        odd = behind[chosen] if lost == 1 else ~behind[chosen]
        turned = (odd.argmax(axis=1)[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(corners[chosen], turned[..., None], 1).transpose(1, 0, 2)
        ab, ac = _crossing(a, b), _crossing(a, c)
        pieces = [(ab, b, c), (ab, c, ac)] if lost == 1 else [(a, ab, ac)]
        for piece in pieces:
            parts.append(np.stack(piece, axis=1))
            which.append(everything[chosen])
    return np.concatenate(parts), np.concatenate(which)


def _crossing(a: Floats, b: Floats) -> Floats:
    """Where lines (n, 3) between the two sides pass the nearest that is seen."""
    share = (_NEAR_M - a[:, :1]) / (b[:, :1] - a[:, :1])
    crossing: Floats = a + share * (b - a)
    return crossing


def _colours(
    placed: PlacedMesh, light: SpaceLight, triangles: Triangles, corners: Floats
) -> Floats:
    """Of these triangles, in the light and the haze, (n, 4)."""
    mesh = placed.mesh
    colours = mesh.colours[triangles].mean(axis=1)
    if mesh.picture is not None and mesh.uv is not None:
        spots = mesh.uv[triangles].mean(axis=1) % 1.0
        high, wide = mesh.picture.shape[:2]
        column, row = (spots * (wide, high)).astype(int).T
        pixels = mesh.picture[np.minimum(row, high - 1), np.minimum(column, wide - 1)]
        shades = pixels[:, :3] if pixels.ndim == 2 else pixels[:, None]
        colours = colours * (shades / 255.0)
    if mesh.is_lit:
        normals = mesh.normals[triangles].mean(axis=1) @ placed.rotation.T
        sunny = np.maximum(normals @ np.asarray(light.to_sun), 0.0)[:, None]
        colours = colours * (np.asarray(light.ambient) + sunny * np.asarray(light.sun))
        clear = np.exp(-light.haze_per_m * np.linalg.norm(corners.mean(axis=1), axis=1))[:, None]
        colours = colours * clear + np.asarray(light.haze) * (1.0 - clear)
    opacity = np.full((len(colours), 1), placed.opacity)
    return np.concatenate([np.clip(colours, 0.0, 1.0), opacity], axis=1)


def _paint_triangles(painter: QPainter, flat: list[_Flat]) -> None:
    if not flat:
        return
    pixels = np.concatenate([one.pixels for one in flat])
    depth = np.concatenate([one.depth for one in flat])
    colours = np.concatenate([one.colours for one in flat])
    (ax, ay), (bx, by), (cx, cy) = pixels.transpose(1, 2, 0)
    area = np.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))
    chosen = np.argsort(area)[-_MOST_TRIANGLES:]
    chosen = chosen[np.argsort(-depth[chosen], kind="stable")]
    values = (colours[chosen] * 255.0).astype(int).tolist()
    for (a, b, c), value in zip(pixels[chosen].tolist(), values, strict=True):
        color = QColor(*value)
        painter.setPen(QPen(color, 0) if value[3] == 255 else Qt.PenStyle.NoPen)  # no gaps between
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([QPointF(*a), QPointF(*b), QPointF(*c)]))


def _paint_line(
    painter: QPainter, line: SpaceLine, every: int, eye: ViewCamera, size: tuple[int, int]
) -> None:
    """By every so manyth of its points."""
    points = line.line.points
    if len(points) < 2:
        return
    rows = _thinned(points, every)
    colours = colour_rows(line.line.colours, len(points))[rows]
    strong = len(points) if line.strong is None else line.strong
    starts, ends = points[rows[:-1]].astype(np.float64), points[rows[1:]].astype(np.float64)
    shares = np.where(rows[:-1] < strong, 1.0, _FAINT) * line.opacity
    a, b, in_front = _clip_steps(starts, ends, eye)
    steps = np.stack([eye.project(end, *size)[:, :2] for end in (a, b)], axis=1)
    inside = ((steps.max(axis=1) > 0.0) & (steps.min(axis=1) < size)).all(axis=1)
    steps, values = steps[inside], np.column_stack((colours[:-1], shares))[in_front][inside]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, line.width_px > 1.0)
    # Steps of about one colour go to the painter at once.
    _, first, group = np.unique(
        (values * _COLOUR_STEPS).round(), axis=0, return_index=True, return_inverse=True
    )
    ends = steps.reshape(-1, 4)
    for number, row in enumerate(first.tolist()):
        red, green, blue, share = values[row].tolist()
        painter.setPen(QPen(_color((red, green, blue), share), line.width_px))
        painter.drawLines([QLineF(*step) for step in ends[group.ravel() == number].tolist()])


def _thinned(points: Floats32, every: int) -> Numbers:
    """Every so manyth point, and where the line begins, ends or is broken."""
    broken = np.flatnonzero(np.isnan(points[:, 0]))
    is_kept = np.zeros(len(points), np.bool_)
    is_kept[::every] = is_kept[-1] = True
    for beside in (-1, 0, 1):
        is_kept[np.clip(broken + beside, 0, len(points) - 1)] = True
    return np.flatnonzero(is_kept)


def _clip_steps(starts: Floats, ends: Floats, eye: ViewCamera) -> tuple[Floats, Floats, Floats]:
    """The parts of steps in front of the eye, and which have one."""
    sight, here = eye.to_eye[0], np.asarray(eye.position)
    a, b = (starts - here) @ sight, (ends - here) @ sight
    kept = (a > _NEAR_M) | (b > _NEAR_M)  # not what is broken: NaN is neither
    kept &= ~np.isnan(a + b)
    starts, ends, a, b = starts[kept], ends[kept], a[kept], b[kept]
    span = np.where(a == b, 1.0, b - a)
    crossing = starts + np.clip((_NEAR_M - a) / span, 0.0, 1.0)[:, None] * (ends - starts)
    starts = np.where((a > _NEAR_M)[:, None], starts, crossing)
    return starts, np.where((b > _NEAR_M)[:, None], ends, crossing), kept


def _paint_cloud(
    painter: QPainter, cloud: PointCloud, eye: ViewCamera, size: tuple[int, int]
) -> None:
    every = max(1, len(cloud.points) // _MOST_POINTS)
    colours = colour_rows(cloud.colours, len(cloud.points))[::every]
    pixels = eye.project(cloud.points[::every].astype(np.float64), *size)
    seen = ~np.isnan(pixels[:, 0])
    side = cloud.size_px
    for (x, y, _), color in zip(pixels[seen].tolist(), colours[seen].tolist(), strict=True):
        painter.fillRect(QRectF(x - side / 2, y - side / 2, side, side), _color(tuple(color)))


def _color(rgb: Rgb, opacity: float = 1.0) -> QColor:
    red, green, blue = (min(max(value, 0.0), 1.0) for value in rgb)
    return QColor.fromRgbF(red, green, blue, min(max(opacity, 0.0), 1.0))
