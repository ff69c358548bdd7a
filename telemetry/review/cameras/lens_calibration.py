"""Lens calibration from pictures of a chessboard that is moved and tilted before the camera.

Zhang's method as OpenCV has it. What the pictures do not determine is refused in words: a board
that is never tilted says nothing of the focal length, and one that never comes near the corners
nothing of the distortion there.
"""

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from telemetry.recording.video_files.frame_source import FrameSource
from telemetry.review.cameras.camera_recorder import LiveFrame
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.chessboard import (
    Chessboard,
    ChessboardView,
    Floats,
    Pixels,
    coverage,
    find_board,
    well_spread,
)
from telemetry.review.cameras.lens import Lens, lens_of

LEAST_VIEWS, MOST_VIEWS = 8, 40
LEAST_COVERAGE = 0.5
LEAST_TILT_DEG = 15.0
MOST_RMS_SHARE = 1.0 / 640.0
"""Of the picture's width: one pixel in 640."""
MOST_FOCAL_SIGMA = 0.01
_LOOKS_PER_S, _MOST_LOOKS, _LIVE_LOOKS = 3.0, 300, 120
_OUTLIER, _LEAST_OUTLIER_PX = 3.0, 0.3
_WORTH_K3 = 0.97
_MOST_FOLD_PX = 1.0
_SAME_SHAPE_PX = 2.0


class LensCalibrationError(Exception):
    """Why no lens was found: what is missing, and how to film it."""


@dataclass(frozen=True, slots=True)
class LensCalibration:
    """What was found of a lens, for pictures of `size`.

    `rms_px` is how far corners stand from where the lens says, root mean square over the
    `views_used`; the board was seen in `views_found` of `frames_seen` pictures. `coverage` is the
    share of the picture in which corners were seen, `tilt_deg` how differently the board was
    tilted, `focal_sigma` the standard error of the focal lengths as a share of them.
    """

    size: tuple[int, int]
    lens: Lens
    rms_px: float
    views_used: int
    views_found: int
    frames_seen: int
    coverage: float
    tilt_deg: float
    focal_sigma: float

    @property
    def field_of_view_deg(self) -> float:
        """Horizontal, from the left edge to the right one."""
        width, height = self.size
        middle = (height - 1) / 2.0
        edges = self.lens.directions(np.array([[-0.5, middle], [width - 0.5, middle]]))
        left, right = (math.degrees(math.atan(float(x))) for x in edges[:, 0])
        return right - left

    def camera(self, before: CameraSettings) -> CameraSettings:
        """The settings of the camera with this lens in it."""
        lens = self.lens
        return replace(
            before,
            field_of_view_deg=round(self.field_of_view_deg, 2),
            focal_px=tuple(round(value, 3) for value in lens.focal_px),
            centre_px=tuple(round(value, 3) for value in lens.centre_px),
            distortion=tuple(round(value, 6) for value in lens.distortion),
            is_fisheye=lens.is_fisheye,
            field_of_view_sigma_deg=None,
            distortion_sigma=(),
        )

    def for_size(self, size: tuple[int, int]) -> "LensCalibration":
        """The same lens for pictures of another size, of which the whole picture was made smaller
        or larger. Raises LensCalibrationError where the shape says that it was cut."""
        scale = size[0] / self.size[0]
        if abs(self.size[1] * scale - size[1]) > _SAME_SHAPE_PX:
            raise LensCalibrationError(
                f"The board was filmed in {self.size[0]}x{self.size[1]}, the flight in "
                f"{size[0]}x{size[1]}: the camera shows another part of its picture then. "
                "Film the board in the flight's mode."
            )
        focal, centre = self.lens.focal_px, self.lens.centre_px
        lens = Lens(
            (scale * focal[0], scale * focal[1]),
            (scale * (centre[0] + 0.5) - 0.5, scale * (centre[1] + 0.5) - 0.5),
            self.lens.distortion,
        )
        return replace(self, size=size, lens=lens, rms_px=scale * self.rms_px)


def film_of(source: FrameSource) -> Iterator[tuple[float, Pixels]]:
    """Pictures of a video, three a second and at most 300, each with how much of the video has
    been looked at, 0 to 1."""
    count = round(min(_MOST_LOOKS, max(2.0, source.duration_s * _LOOKS_PER_S)))
    for number in range(count):
        frame = source.frame_at(source.duration_s * number / count)
        if frame is not None and not frame.is_damaged:
            yield (number + 1) / count, frame.pixels


def film_now(newest: Callable[[], LiveFrame | None]) -> Iterator[tuple[float, Pixels]]:
    """Pictures of a live camera for 40 seconds, three a second; not for the GUI thread."""
    pause, last = threading.Event(), -1
    for number in range(_LIVE_LOOKS):
        pause.wait(1.0 / _LOOKS_PER_S)
        frame = newest()
        if frame is not None and frame.number != last:
            last = frame.number
            yield (number + 1) / _LIVE_LOOKS, frame.pixels


def calibrate_lens(
    film: Iterable[tuple[float, Pixels]],
    board: Chessboard,
    tell: Callable[[float], None] = lambda _share: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> LensCalibration:
    """Find the lens from pictures, all of one size, each with how much of the work it is.

    Raises LensCalibrationError with what to do, and VideoError where the film cannot be read.
    """
    views: list[ChessboardView] = []
    size, seen = (0, 0), 0
    for share, pixels in film:
        if is_cancelled():
            raise LensCalibrationError("Cancelled.")
        size, seen = (pixels.shape[1], pixels.shape[0]), seen + 1
        view = find_board(pixels, board)
        views += [view] if view is not None else []
        tell(0.9 * share)
    return lens_from_views(views, board, size, seen)


def lens_from_views(
    views: Sequence[ChessboardView], board: Chessboard, size: tuple[int, int], frames_seen: int
) -> LensCalibration:
    """The same from corners that were found. Raises LensCalibrationError."""
    chosen = well_spread(views, board, size, MOST_VIEWS)
    _refuse_views(views, chosen, board, size)
    solved = _solved(chosen, board, size)
    kept = solved.inliers(chosen)
    if LEAST_VIEWS <= len(kept) < len(chosen):
        solved, chosen = _solved(kept, board, size), kept
    result = LensCalibration(
        size,
        solved.lens,
        solved.rms_px,
        len(chosen),
        len(views),
        frames_seen,
        coverage(chosen, size),
        solved.tilt_deg(),
        solved.focal_sigma,
    )
    _refuse_result(result)
    return result


# ---------------------------------------------------------------------------- solving


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """What OpenCV made of views: `errors_px` (views,), `turns` (views, 3) as rotation vectors."""

    lens: Lens
    rms_px: float
    focal_sigma: float
    errors_px: Floats
    turns: Floats

    def inliers(self, views: Sequence[ChessboardView]) -> list[ChessboardView]:
        """Those without the ones that fit much worse than most, blurred by motion."""
        limit = max(_OUTLIER * float(np.median(self.errors_px)), _LEAST_OUTLIER_PX)
        return [view for view, error in zip(views, self.errors_px, strict=True) if error <= limit]

    def tilt_deg(self) -> float:
        """The largest angle between the directions that the board has faced: robustly, the 90th
        percentile from their mean, doubled."""
        import cv2

        normals = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in self.turns])
        mean = normals.mean(axis=0)
        cosines = normals @ (mean / np.linalg.norm(mean))
        return 2.0 * math.degrees(float(np.percentile(np.arccos(np.clip(cosines, -1, 1)), 90)))


def _solved(views: Sequence[ChessboardView], board: Chessboard, size: tuple[int, int]) -> _Solved:
    """With k3 only where it makes the error smaller: it is not determined by most lenses."""
    import cv2

    simple = _solve(views, board, size, cv2.CALIB_FIX_K3)
    full = _solve(views, board, size, 0)
    return full if full.rms_px < _WORTH_K3 * simple.rms_px else simple


def _solve(
    views: Sequence[ChessboardView], board: Chessboard, size: tuple[int, int], flags: int
) -> _Solved:
    import cv2

    points = [board.points()] * len(views)
    corners = [view.corners.reshape(-1, 1, 2) for view in views]
    start = lens_of(CameraSettings(), size).matrix()
    try:
        rms, matrix, coefficients, turns, _, sigmas, _, errors = cv2.calibrateCameraExtended(
            points, corners, size, start, np.zeros(5), flags=flags
        )
    except cv2.error as error:
        raise LensCalibrationError(
            "No lens fits these pictures. Check the number of inner corners, and that the board "
            "is flat."
        ) from error
    focal = (float(matrix[0, 0]), float(matrix[1, 1]))
    lens = Lens(
        focal,
        (float(matrix[0, 2]), float(matrix[1, 2])),
        tuple(float(value) for value in np.ravel(coefficients)[:5]),
    )
    spread = max(float(sigmas[axis, 0]) / focal[axis] for axis in range(2))
    rotations = np.array([np.ravel(turn) for turn in turns])
    return _Solved(lens, float(rms), spread, np.ravel(errors), rotations)


# ---------------------------------------------------------------------------- refusing


def _refuse_views(
    views: Sequence[ChessboardView],
    chosen: Sequence[ChessboardView],
    board: Chessboard,
    size: tuple[int, int],
) -> None:
    if not views:
        raise LensCalibrationError(
            f"No chessboard of {board.columns}x{board.rows} inner corners was seen whole in any "
            "picture. Count the corners where four squares meet, and keep all of them in view."
        )
    if len(chosen) < LEAST_VIEWS:
        raise LensCalibrationError(
            f"Too few different views of the board: {len(chosen)} of at least {LEAST_VIEWS}. "
            "Move it through the whole picture, near and far, and tilt it in every direction."
        )
    covered = coverage(chosen, size)
    if covered < LEAST_COVERAGE:
        raise LensCalibrationError(
            f"The board was seen in only {100 * covered:.0f} % of the picture, of at least "
            f"{100 * LEAST_COVERAGE:.0f} %. Hold it near the edges and corners too."
        )


def _refuse_result(found: LensCalibration) -> None:
    most_rms_px = MOST_RMS_SHARE * found.size[0]
    if found.tilt_deg < LEAST_TILT_DEG:
        raise LensCalibrationError(
            f"The board was tilted by {found.tilt_deg:.0f}° only, of at least "
            f"{LEAST_TILT_DEG:.0f}°: seen flat it does not tell a focal length. "
            "Tilt it to all sides."
        )
    if not found.rms_px <= most_rms_px:
        raise LensCalibrationError(
            f"Corners stand {found.rms_px:.2f} pixels from where the lens found says, of at most "
            f"{most_rms_px:.2f}. Glue the board on something flat, and film it in good light, "
            "moving slowly."
        )
    if not found.focal_sigma <= MOST_FOCAL_SIGMA:
        raise LensCalibrationError(
            f"The focal length is known to {100 * found.focal_sigma:.1f} % only, of at most "
            f"{100 * MOST_FOCAL_SIGMA:.0f} %. Tilt the board more, and hold it nearer."
        )
    if not _holds_at_edges(found.lens, found.size):
        raise LensCalibrationError(
            "The distortion found does not hold up to the picture's edges. "
            "Hold the board near the edges and corners too."
        )


def _holds_at_edges(lens: Lens, size: tuple[int, int]) -> bool:
    """Whether pixels all around lead to directions and back."""
    width, height = size
    across, along = np.meshgrid(np.linspace(0, width - 1, 9), np.linspace(0, height - 1, 9))
    pixels = np.column_stack([across.ravel(), along.ravel()])
    straight = lens.directions(pixels)
    back = lens.pixels(np.column_stack([straight, np.ones(len(straight))]))
    return bool((np.abs(back - pixels) < _MOST_FOLD_PX).all())
