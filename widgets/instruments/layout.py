"""Layout of the flight display in a window of any shape. Pure arithmetic."""

from dataclasses import dataclass

from PySide6.QtCore import QRect

_REFERENCE_PX = (600.0, 560.0)
_UNIT_RANGE = (0.62, 1.8)
_ABOVE_HOME_PX = 29
"""So wide at least is what stands beside the height tape: above both stands above what it is."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rectangles in logical pixels, none overlapping; those of words are empty where there are
    none. `unit` is 1.0 in a 600 by 560 window."""

    unit: float
    mode: QRect
    armed: QRect
    speed: QRect
    attitude: QRect
    altitude: QRect
    climb: QRect
    left_corner: QRect
    heading: QRect
    right_corner: QRect

    def px(self, length: float) -> int:
        """A length given for the reference window, in this one; at least one pixel."""
        return max(1, round(length * self.unit))


def lay_out(width: int, height: int, scale: float = 1.0, *, has_words: bool = True) -> Layout:
    """Divide a window of `width` by `height` logical pixels; `scale` is the user's factor. Without
    words in the corners the instruments have their room."""
    unit = min(width / _REFERENCE_PX[0], height / _REFERENCE_PX[1]) * scale
    unit = min(max(unit, _UNIT_RANGE[0]), _UNIT_RANGE[1])
    gap = max(3, round(6 * unit))
    top = round(28 * unit) if has_words else 0
    bottom = round(54 * unit)
    tape = max(50, round(74 * unit))
    climb = max(round(22 * unit), min(_ABOVE_HOME_PX, width // 10))
    corner = min(round(116 * unit), (width - 2 * gap) // 3) if has_words else 0
    middle_top = gap + top + gap if has_words else gap
    middle_height = max(40, height - middle_top - gap - bottom - gap)
    bottom_top = middle_top + middle_height + gap
    half = (width - 3 * gap) // 2
    field_left = gap + tape + gap
    field_width = max(40, width - field_left - gap - tape - climb - gap)
    altitude_left = field_left + field_width + gap
    beside = gap + corner if has_words else 0
    return Layout(
        unit=unit,
        mode=QRect(gap, gap, half, top),
        armed=QRect(width - gap - half, gap, half, top),
        speed=QRect(gap, middle_top, tape, middle_height),
        attitude=QRect(field_left, middle_top, field_width, middle_height),
        altitude=QRect(altitude_left, middle_top, tape, middle_height),
        climb=QRect(altitude_left + tape, middle_top, climb, middle_height),
        left_corner=QRect(gap, bottom_top, corner, bottom),
        heading=QRect(gap + beside, bottom_top, width - 2 * gap - 2 * beside, bottom),
        right_corner=QRect(width - gap - corner, bottom_top, corner, bottom),
    )
