"""Lens and shutter of a camera: what they make of a scene.

One picture is drawn as a pinhole in the middle of the exposure sees it, and every pixel of the
camera's is looked up in it. A pixel that is exposed earlier or later looks from another place in
another direction: what it sees of the drawn picture is searched, so that rolling shutters, motion
blur and what is true of pixels are right for turns and for movements. Where much comes into sight
that was hidden in the middle of the exposure, one picture more is drawn from where it begins and
one from where it ends.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from simulation.worlds.pixel_rays import rays_of
from simulation.worlds.renderer import CameraView, SeenView
from simulation.worlds.row_motion import (
    Floats,
    PosesOverTime,
    RowMotion,
    row_motion,
    row_times,
)
from simulation.worlds.scene import Picture
from simulation.worlds.shared_renderer import SharedRenderer
from simulation.worlds.surface_search import (
    NOWHERE_PX,
    SAME_SURFACE,
    DrawnSurfaces,
    SeenPlaces,
    SurfaceSearch,
    nearest_of,
    put,
    smooth_of,
)
from telemetry.review.cameras.lens import Lens

Array = npt.NDArray[np.float64]

_SPARE = 0.075
"""How much more may be drawn on each side for a shutter, of what is seen at rest."""
_LEAST_BLUR_PX, _MOST_INSTANTS = 0.5, 8
_SPARSE = 16
_USUALLY_M = 12.0
"""What is nearer at the border than this may have to be drawn twice."""
_ROUNDING_PX = 1e-3
_LARGEST_PX = 8192
_SKY = np.zeros((1, 1), np.float32)
_FEW_HIDDEN = 2e-4
"""The share of pixels that may see what is not drawn without more being drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Shutter:
    """`readout_s`: from the exposure of the first row to that of the last, 0 for all at once.
    `exposure_s`: how long each row is exposed, 0 for an instant."""

    readout_s: float = 0.0
    exposure_s: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TakenPicture:
    """A picture, BGR, and what is true of its pixels: `drawn` is what was drawn for it, `places`
    where in that each of them stands."""

    picture: Picture
    drawn: SeenView
    places: SeenPlaces

    def depth_m(self) -> Floats:
        """How far ahead along the line of sight (z of a depth camera, not the distance) what
        each pixel sees was when its row was exposed; inf for the sky, NaN where the lens shows
        nothing. Between drawn pixels of one surface it is right for planes."""
        at, values = (self.places.columns, self.places.rows), self.drawn.nearness
        smooth, nearest = smooth_of(values, *at), nearest_of(values, *at)
        is_edge = np.abs(smooth - nearest) > SAME_SURFACE * nearest
        nearness = np.where(is_edge, nearest, smooth) * self.places.ahead
        with np.errstate(divide="ignore"):
            depth = np.asarray(1.0 / nearness, np.float32)
        depth[self.places.columns <= NOWHERE_PX] = np.nan
        return depth

    def segments(self) -> npt.NDArray[np.int32]:
        """The number of what each pixel sees (`WorldScene.segments`), -1 for the sky and where
        the lens shows nothing."""
        import cv2

        at = self.places.columns, self.places.rows
        values = self.drawn.segments.astype(np.float32)
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
        self._search = SurfaceSearch(self.rays, self._focal)
        self._largest = (_LARGEST_PX, _LARGEST_PX)
        width, height = self._drawn_size(self.rays.tangents())
        if self._moves:
            width, height = (side + 2 * math.ceil(side * _SPARE) for side in (width, height))
        self._largest = width, height

    def take(self, path: PosesOverTime, middle_s: float) -> TakenPicture:
        """The picture whose middle row is exposed at that time, in the middle of its exposure."""
        if self._is_drawn_so:
            drawn = self._drawn(_view(path, middle_s), self.rays.size)
            columns, rows = self._grid
            ahead, hidden = np.ones((1, 1), np.float32), np.zeros(0, np.int64)
            still = SeenPlaces(columns, rows, drawn.nearness, ahead, hidden)
            return TakenPicture(drawn.picture, drawn, still)
        seen = self._seen(path, middle_s)
        times_s = self._instants(path, middle_s, seen)
        if not times_s:
            picture = self._looked_up(seen.drawn.picture, seen.places)
        else:
            picture = self._mean(seen, path, times_s)
        return TakenPicture(picture, seen.drawn, seen.places)

    # ------------------------------------------------------------------------ where pixels stand

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        """Column and row of every pixel."""
        across, along = np.meshgrid(*(np.arange(side, dtype=np.float32) for side in self.rays.size))
        return across, along

    def _motion(self, path: PosesOverTime, middle_s: float, view: CameraView) -> RowMotion:
        """Of rows whose middle one is exposed at that time, as seen from `view`."""
        times = middle_s + row_times(self.rays.size[1], self._shutter.readout_s)
        return row_motion(*path.poses(times), (view.position, view.to_camera))

    def _seen(self, path: PosesOverTime, middle_s: float) -> "_Seen":
        """What is seen from the middle, and from the ends if much is hidden there."""
        view = _view(path, middle_s)
        drawn = self._drawn_for(self._motion(path, middle_s, view), view)
        looks = [_Look(middle_s, view, DrawnSurfaces(drawn.nearness))]
        places = self._places(looks, path, middle_s)
        if len(places.hidden) <= _FEW_HIDDEN * places.near.size:
            return _Seen(drawn, looks, places)
        height, width = drawn.nearness.shape
        half_s = 0.5 * (self._shutter.readout_s + self._shutter.exposure_s)
        drawings = [drawn]
        for time_s in (middle_s - half_s, middle_s + half_s):
            view = _view(path, time_s)
            drawings.append(self._drawn(view, (width, height)))
            looks.append(_Look(time_s, view, DrawnSurfaces(drawings[-1].nearness)))
        return _Seen(_stacked(drawings), looks, self._places(looks, path, middle_s))

    def _places(self, looks: list["_Look"], path: PosesOverTime, time_s: float) -> SeenPlaces:
        """Where rows whose middle one is exposed at that time see what they see: in the first of
        what was drawn, or in that of the others which is on the same side of it in time."""
        first, *others = looks
        motion = self._motion(path, time_s, first.view)
        places = self._search.of(first.surfaces, motion)
        width, height = self.rays.size
        times = time_s + row_times(height, self._shutter.readout_s)[places.hidden // width]
        last_row = len(first.surfaces.nearness) - 1
        if others:
            np.minimum(places.rows, last_row, out=places.rows)
        for number, look in enumerate(others, 1):
            own = places.hidden[(times < first.time_s) == (look.time_s < first.time_s)]
            found = self._search.searched(look.surfaces, self._motion(path, time_s, look.view), own)
            is_new = self._search.is_behind(first.surfaces, motion, own, found[:, 2])
            is_new &= found[:, 4] == 0.0
            found[:, 1] = number * (last_row + 1) + found[:, 1].clip(0.0, last_row)
            put(places, own[is_new], found[is_new])
        return places

    def _drawn_for(self, motion: RowMotion, view: CameraView) -> SeenView:
        """Drawn as far as the rows need."""
        reach = self._reach(motion)
        size = self._size_for(motion, reach, 1.0 / _USUALLY_M)
        drawn = self._drawn(view, size)
        if self._has_rim:  # beyond which nothing is shown
            return drawn
        border = np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]
        nearest = max(float(drawn.nearness[each].max()) for each in border)
        needed = self._size_for(motion, reach, nearest)
        if needed[0] > size[0] or needed[1] > size[1]:  # something is close, and it moves fast
            return self._drawn(view, needed)
        return drawn

    def _size_for(
        self, motion: RowMotion, reach: Sequence[float], nearness: float
    ) -> tuple[int, int]:
        """Of a picture in which stands all that rows see, if nothing at its border is nearer;
        `reach` is what `_reach` says of them."""
        aside = float(np.abs(motion.shift).max()) * nearness
        return self._drawn_size([tangent + aside for tangent in reach])

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

    def _reach(self, motion: RowMotion) -> Sequence[float]:
        """How far to either side and up and down the border of the picture sees the sky."""
        if self._has_rim:  # which is inside the picture
            return self.rays.tangents()
        width, height = self.rays.size
        border = [
            np.abs(self._tangents(motion, _SKY, *every)).max(axis=(1, 2))
            for every in ((height - 1, 1), (1, width - 1))
        ]
        reach: list[float] = np.maximum(*border).tolist()
        return reach

    def _tangents(self, motion: RowMotion, near: Floats, rows: int, columns: int) -> Floats:
        """Right and down over ahead of what is so near, of every so manyth row and column."""
        rays = self.rays.every(rows, columns)
        ahead, *aside = motion.every(rows).points(rays, near[::rows, ::columns])
        return np.asarray(np.stack(aside) / ahead, np.float32)

    def _drawn_size(self, tangents: Sequence[float]) -> tuple[int, int]:
        """Of a picture that reaches so far, and not further than what can be drawn. It has as many
        pixels more on either side, so that those in the middle lie upon each other."""
        sides = zip(tangents, self.rays.size, self._largest, strict=True)
        width, height = (
            min(side + 2 * math.ceil(self._focal * t + 0.5 * (1.0 - side) - _ROUNDING_PX), most)
            for t, side, most in sides
        )
        return width, height

    # ------------------------------------------------------------------------ what they see

    def _instants(self, path: PosesOverTime, middle_s: float, seen: "_Seen") -> Sequence[float]:
        """As many of the exposure as pixels are smeared together; none where nothing moves."""
        import cv2

        exposure_s = self._shutter.exposure_s
        if not exposure_s:
            return []
        near = cv2.dilate(seen.places.near, np.ones((_SPARSE, _SPARSE), np.uint8))
        begin, end = (
            self._tangents(self._motion(path, time_s, seen.looks[0].view), near, _SPARSE, _SPARSE)
            for time_s in (middle_s - 0.5 * exposure_s, middle_s + 0.5 * exposure_s)
        )
        moved_px = self._focal * float(np.nanmax(np.hypot(*(end - begin))))
        if moved_px < _LEAST_BLUR_PX:
            return []
        count = min(math.ceil(moved_px) + 1, _MOST_INSTANTS)
        shares = (np.arange(count) + 0.5) / count - 0.5
        times_s: list[float] = (middle_s + exposure_s * shares).tolist()
        return times_s

    def _mean(self, seen: "_Seen", path: PosesOverTime, times_s: Sequence[float]) -> Picture:
        import cv2

        total = np.zeros((*self.rays.size[::-1], 3), np.float32)
        for time_s in times_s:
            places = self._places(seen.looks, path, time_s)
            cv2.accumulate(self._looked_up(seen.drawn.picture, places), total)
        return np.asarray(cv2.convertScaleAbs(total, alpha=1.0 / len(times_s)))

    def _looked_up(self, picture: Picture, places: SeenPlaces) -> Picture:
        import cv2

        border = cv2.BORDER_CONSTANT if self._has_rim else cv2.BORDER_REPLICATE
        # The same in a third of the time as with three bytes a pixel.
        four = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
        at = places.columns, places.rows
        found = cv2.remap(four, *at, cv2.INTER_LINEAR, borderMode=border)
        return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGRA2BGR))


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """When and from where a picture was drawn, and its surfaces."""

    time_s: float
    view: CameraView
    surfaces: DrawnSurfaces


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What was drawn, one below the other, and where the camera's pixels stand in it."""

    drawn: SeenView
    looks: list[_Look]
    places: SeenPlaces


def _view(path: PosesOverTime, time_s: float) -> CameraView:
    place, to_camera = path.poses(np.array([time_s]))
    return CameraView(place[0], to_camera[0])


def _stacked(drawings: Sequence[SeenView]) -> SeenView:
    """One below the other."""
    names = "picture", "nearness", "segments"
    return SeenView(*(np.concatenate([getattr(d, name) for d in drawings]) for name in names))


def _is_pinhole(lens: Lens, size: tuple[int, int]) -> bool:
    """Whether it draws as the renderer does."""
    middle = tuple((side - 1) / 2 for side in size)
    is_square = lens.focal_px[0] == lens.focal_px[1]
    is_plain = not any(lens.distortion) and not lens.is_fisheye
    return is_plain and is_square and lens.centre_px == middle
