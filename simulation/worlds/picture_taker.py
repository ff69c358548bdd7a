"""Lens and shutter of a camera: what they make of a scene.

One picture is drawn as a pinhole in the middle of the exposure sees it, and every pixel of the
camera's is looked up in it.

A pixel that is exposed earlier or later looks from another place in another direction. How far
away what it sees is, the drawn picture knows: so rolling shutters and motion blur are right for
turns and, but for what was hidden in the middle of the exposure, for movements.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.pixel_rays import rays_of
from simulation.worlds.renderer import CameraView, SeenView
from simulation.worlds.row_motion import (
    Floats,
    Points,
    PosesOverTime,
    RowMotion,
    row_motion,
    row_times,
)
from simulation.worlds.scene import Picture
from simulation.worlds.shared_renderer import SharedRenderer
from telemetry.review.cameras.lens import Lens

Array = npt.NDArray[np.float64]

_SPARE = 1.15
"""The largest picture that is drawn for a shutter, over what is seen at rest."""
_LEAST_BLUR_PX, _MOST_INSTANTS = 0.5, 8
_SPARSE = 16
_USUALLY_M = 25.0
"""What is nearer at the border than this may have to be drawn twice."""
_ROUNDING_PX = 1e-3
_NOWHERE_PX = -16.0
_LARGEST_PX = 8192
_SAME_SURFACE = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Shutter:
    """`readout_s`: from the exposure of the first row to that of the last, 0 for all at once.
    `exposure_s`: how long each row is exposed, 0 for an instant."""

    readout_s: float = 0.0
    exposure_s: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TakenPicture:
    """A picture, BGR, and what is true of its pixels.

    `view` is that of the middle of the exposure, `drawn` what was seen from there, `columns` and
    `rows` where in that each pixel stands. `ahead` is how far before `view` that is, over how far
    it is before the camera when the row was exposed.
    """

    picture: Picture
    view: CameraView
    drawn: SeenView
    columns: Floats
    rows: Floats
    ahead: Floats | float

    def depth_m(self) -> Floats:
        """How far ahead along the line of sight (z of a depth camera, not the distance) what
        each pixel sees was when its row was exposed; inf for the sky, NaN where the lens shows
        nothing. Between drawn pixels of one surface it is right for planes."""
        at, values = (self.columns, self.rows), self.drawn.nearness
        smooth, nearest = _smooth(values, *at), _nearest(values, *at)
        is_edge = np.abs(smooth - nearest) > _SAME_SURFACE * nearest
        nearness = np.where(is_edge, nearest, smooth) * self.ahead
        with np.errstate(divide="ignore"):
            depth = np.asarray(1.0 / nearness, np.float32)
        depth[self.columns <= _NOWHERE_PX] = np.nan
        return depth

    def segments(self) -> npt.NDArray[np.int32]:
        """The number of what each pixel sees (`WorldScene.segments`), -1 for the sky and where
        the lens shows nothing."""
        import cv2

        at, values = (self.columns, self.rows), self.drawn.segments.astype(np.float32)
        found = cv2.remap(
            values, *at, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=-1
        )
        return np.asarray(found).astype(np.int32)


class PictureTaker:
    """Takes pictures of a scene through a lens, with a shutter."""

    def __init__(
        self,
        renderer: SharedRenderer,
        lens: Lens,
        size: tuple[int, int],
        shutter: Shutter = Shutter(),
        oversampling: int = 1,
    ) -> None:
        """`size`: width and height in pixels. `oversampling`: each pixel is the mean of so many by
        so many, an odd number. Raises ValueError for a lens that shows nothing."""
        self._renderer = renderer
        self._oversampling = oversampling
        self.rays = rays_of(lens, size)
        self._shutter = shutter
        self._focal = max(lens.focal_px)
        self._has_rim = bool(np.isnan(self.rays.right).any())
        self._moves = bool(shutter.readout_s or shutter.exposure_s)
        self._is_drawn_so = _is_pinhole(lens, size) and not self._moves
        self._largest = (_LARGEST_PX, _LARGEST_PX)
        width, height = self._drawn_size(self.rays.tangents())
        if self._moves:
            width, height = math.ceil(width * _SPARE), math.ceil(height * _SPARE)
        self._largest = width, height

    def take(self, path: PosesOverTime, middle_s: float) -> TakenPicture:
        """The picture whose middle row is exposed at that time, in the middle of its exposure."""
        place, rotation = (values[0] for values in path.poses(np.array([middle_s])))
        view = CameraView(place, rotation)
        if self._is_drawn_so:
            drawn = self._drawn(view, self.rays.size)
            return TakenPicture(drawn.picture, view, drawn, *_grid(self.rays.size), 1.0)
        motion = self._motion(path, middle_s, view)
        seen = self._seen(motion, view)
        picture = self._smeared(seen, path, middle_s, view)
        if picture is None:
            picture = self._looked_up(seen.drawn.picture, seen.columns, seen.rows)
        return TakenPicture(picture, view, seen.drawn, seen.columns, seen.rows, seen.points[0])

    # ------------------------------------------------------------------------ where pixels stand

    def _motion(
        self, path: PosesOverTime, middle_s: float, view: CameraView, after_s: float = 0.0
    ) -> RowMotion:
        times = middle_s + after_s + row_times(self.rays.size[1], self._shutter.readout_s)
        return row_motion(*path.poses(times), (view.position, view.to_camera))

    def _seen(self, motion: RowMotion, view: CameraView) -> "_Seen":
        """What is seen from the middle, drawn as far as the rows need, and where they see it."""
        turned = motion.points(self.rays)
        aside = float(np.abs(motion.shift).max()) / _USUALLY_M
        size = self._drawn_size(tuple(t + aside for t in self._reach(turned)))
        seen = self._found(self._drawn(view, size), motion, turned)
        needed = self._drawn_size(self._reach(seen.points))
        if needed[0] > size[0] or needed[1] > size[1]:  # something is close, and it moves fast
            size = max(size[0], needed[0]), max(size[1], needed[1])
            seen = self._found(self._drawn(view, size), motion, turned)
        return seen

    def _found(self, drawn: SeenView, motion: RowMotion, turned: Points) -> "_Seen":
        columns, rows = self._places(turned, drawn)
        if not motion.shift.any():
            return _Seen(drawn, columns, rows, turned, np.zeros((1, 1), np.float32))
        nearness = _nearest(drawn.nearness, columns, rows) * turned[0]
        points = motion.moved(turned, nearness)
        return _Seen(drawn, *self._places(points, drawn), points, nearness)

    def _drawn(self, view: CameraView, size: tuple[int, int]) -> SeenView:
        import cv2

        finer = self._oversampling
        width, height = size
        drawn = self._renderer.look(view, (finer * width, finer * height), finer * self._focal)
        if finer == 1:
            return drawn
        middles = (slice(finer // 2, None, finer),) * 2
        return SeenView(
            np.asarray(cv2.resize(drawn.picture, size, interpolation=cv2.INTER_AREA)),
            np.ascontiguousarray(drawn.nearness[middles]),
            np.ascontiguousarray(drawn.segments[middles]),
        )

    def _reach(self, points: Points) -> tuple[float, float]:
        """How far to either side and up and down the border of the picture sees."""
        if self._has_rim:  # which is inside the picture
            return self.rays.tangents()
        ahead, right, down = (np.concatenate([p[0], p[-1], p[:, 0], p[:, -1]]) for p in points)
        return float(np.abs(right / ahead).max()), float(np.abs(down / ahead).max())

    def _drawn_size(self, tangents: tuple[float, ...]) -> tuple[int, int]:
        """Of a picture that reaches so far, and not further than what can be drawn."""
        width, height = (math.ceil(2.0 * self._focal * t + 1.0 - _ROUNDING_PX) for t in tangents)
        return (min(width, self._largest[0]), min(height, self._largest[1]))

    def _places(self, points: Points, drawn: SeenView) -> tuple[Floats, Floats]:
        """Columns and rows in the drawn picture."""
        height, width = drawn.nearness.shape
        ahead, right, down = points
        scale = np.float32(self._focal) / ahead
        columns = right * scale
        columns += np.float32((width - 1) / 2)
        rows = down * scale
        rows += np.float32((height - 1) / 2)
        if self._has_rim:
            is_rim = np.isnan(columns)
            columns[is_rim] = rows[is_rim] = _NOWHERE_PX
        return columns, rows

    # ------------------------------------------------------------------------ what they see

    def _smeared(
        self, seen: "_Seen", path: PosesOverTime, middle_s: float, view: CameraView
    ) -> Picture | None:
        """The mean of several instants of the exposure; None where nothing moves in it."""
        import cv2

        half = 0.5 * self._shutter.exposure_s
        if not half:
            return None
        motions = [self._motion(path, middle_s, view, after_s) for after_s in (-half, half)]
        sparse = self.rays.every(_SPARSE)
        nearness = seen.nearness[::_SPARSE, ::_SPARSE]
        begin, end = (
            self._places(motion.every(_SPARSE).points(sparse, nearness), seen.drawn)
            for motion in motions
        )
        moved = float(np.hypot(end[0] - begin[0], end[1] - begin[1]).max())
        if moved < _LEAST_BLUR_PX:
            return None
        begin, end = (
            self._places(motion.points(self.rays, seen.nearness), seen.drawn) for motion in motions
        )
        count = min(math.ceil(moved) + 1, _MOST_INSTANTS)
        total = np.zeros((*seen.columns.shape, 3), np.float32)
        for number in range(count):
            share = (number + 0.5) / count
            places = (
                cv2.addWeighted(a, 1.0 - share, b, share, 0.0)
                for a, b in zip(begin, end, strict=True)
            )
            cv2.accumulate(self._looked_up(seen.drawn.picture, *places), total)
        return np.asarray(cv2.convertScaleAbs(total, alpha=1.0 / count))

    def _looked_up(self, picture: Picture, columns: Any, rows: Any) -> Picture:
        import cv2

        border = cv2.BORDER_CONSTANT if self._has_rim else cv2.BORDER_REPLICATE
        # The same in a third of the time as with three bytes a pixel.
        four = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
        found = cv2.remap(four, columns, rows, cv2.INTER_LINEAR, borderMode=border)
        return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGRA2BGR))


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A drawn picture, where the camera's pixels stand in it, what they see (`RowMotion.points`),
    and one over how far before the camera of their row that is."""

    drawn: SeenView
    columns: Floats
    rows: Floats
    points: Points
    nearness: Floats


def _is_pinhole(lens: Lens, size: tuple[int, int]) -> bool:
    """Whether it draws as the renderer does."""
    middle = tuple((side - 1) / 2 for side in size)
    is_square = lens.focal_px[0] == lens.focal_px[1]
    is_plain = not any(lens.distortion) and not lens.is_fisheye
    return is_plain and is_square and lens.centre_px == middle


def _grid(size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Column and row of every pixel."""
    across, along = np.meshgrid(*(np.arange(side, dtype=np.float32) for side in size))
    return across, along


def _nearest(values: Floats, columns: Floats, rows: Floats) -> Floats:
    import cv2

    nearest, border = cv2.INTER_NEAREST, cv2.BORDER_REPLICATE
    return np.asarray(cv2.remap(values, columns, rows, nearest, borderMode=border))


def _smooth(values: Floats, columns: Floats, rows: Floats) -> Floats:
    import cv2

    linear, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return np.asarray(cv2.remap(values, columns, rows, linear, borderMode=border))
