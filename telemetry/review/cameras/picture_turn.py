"""Picture turn: how a stored picture is shown upright, by hand or by its camera's mount.

A stored picture is what a video's reader gives: its file's own metadata, a phone's display matrix,
is heeded there already. Lens and mount speak of that picture; what is drawn over it goes with it.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from telemetry.base.rotations import Floats
from telemetry.recording.video_files.turned_pixels import Pixels, turned_pixels
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.projection import camera_from_body

_STEEP: Final = math.sin(math.radians(70.0))
"""A camera that looks up or down more steeply sees nothing that stands: its aircraft's nose is to
be at the top of the picture."""


@dataclass(frozen=True, slots=True)
class PictureTurn:
    """`is_mirrored` exchanges left and right of the stored picture; then it is turned clockwise by
    `quarter_turns`, 0 to 3."""

    quarter_turns: int = 0
    is_mirrored: bool = False

    def turned(self, quarter_turns: int) -> "PictureTurn":
        """What is shown, turned clockwise by so many quarters more."""
        return PictureTurn((self.quarter_turns + quarter_turns) % 4, self.is_mirrored)

    def mirrored(self) -> "PictureTurn":
        """What is shown, with left and right exchanged."""
        return PictureTurn(-self.quarter_turns % 4, not self.is_mirrored)

    def size(self, size: tuple[int, int]) -> tuple[int, int]:
        """Width and height as shown of a stored picture of `size`; also the other way round."""
        return size[::-1] if self.quarter_turns % 2 else size

    def picture(self, pixels: Pixels) -> Pixels:
        """A picture, or one plane of it, as shown: (height, width) or (height, width, colours)."""
        return turned_pixels(pixels, self.quarter_turns, is_mirrored=self.is_mirrored)

    def points(self, points: Floats, size: tuple[int, int]) -> Floats:
        """Pixels (n, 2) of a stored picture of `size` where they are shown; see `lens`."""
        (width, height), (x, y) = size, points.T
        x = width - 1.0 - x if self.is_mirrored else x
        for _ in range(self.quarter_turns):
            x, y, width, height = height - 1.0 - y, x, height, width
        return np.column_stack([x, y])


def turn_by_mount(camera: CameraSettings) -> PictureTurn:
    """The quarter turn by which what is above the aircraft is nearest to the picture's top; what is
    ahead of it, where the camera looks steeply down, and what is behind it, steeply up."""
    to_camera = camera_from_body(camera)
    axis_down = float(to_camera[0, 2])
    is_steep = abs(axis_down) > _STEEP
    upwards = np.array([math.copysign(1.0, axis_down), 0.0, 0.0] if is_steep else [0.0, 0.0, -1.0])
    _, right, down = to_camera @ upwards
    return PictureTurn(round(math.degrees(math.atan2(-right, -down)) / 90.0) % 4)


def turn_shown(by_hand: PictureTurn | None, camera: CameraSettings) -> PictureTurn:
    """How a camera's picture is shown: as it was turned by hand, or else by how it is mounted."""
    return turn_by_mount(camera) if by_hand is None else by_hand
