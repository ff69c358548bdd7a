"""A shaded track: which segments get which colour."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from widgets.map.projection import Viewport
from widgets.map.scene import SHADES, Shading, TrackLine
from widgets.map.track_layer import TrackLayer, of_level, shade
from widgets.theme import load_theme

NAN = np.nan


def test_every_segment_is_drawn_once_in_its_own_colour() -> None:
    x = np.arange(8.0)
    levels = np.array([0, 0, 1, 1, 0, 2, 2, 0])
    line = TrackLine("one", np.append(NAN, x), np.append(NAN, x), 9)
    drawn = {}
    for level in range(3):
        across, _ = of_level(line, 1, levels, level)
        pairs = pairwise(across.tolist())
        drawn[level] = [(a, b) for a, b in pairs if not np.isnan(a + b)]
    assert drawn == {0: [(0, 1), (3, 4), (6, 7)], 1: [(1, 2), (2, 3)], 2: [(4, 5), (5, 6)]}


def test_levels_span_the_range_and_know_what_is_unknown() -> None:
    values = np.array([-5.0, 0.0, 5.0, 10.0, 99.0, NAN])
    levels = Shading("Height", "m", values, 0.0, 10.0).levels(0, 6)
    assert levels.tolist() == [0, 0, SHADES // 2, SHADES - 1, SHADES - 1, -1]


def test_shades_run_from_the_low_to_the_high_colour() -> None:
    theme = load_theme("dark")
    ends = [shade(theme, 0), shade(theme, SHADES - 1)]
    assert [color.name() for color in ends] == [
        theme.color("track_low").name(),
        theme.color("track_high").name(),
    ]
    assert len({QColor(shade(theme, level)).name() for level in range(SHADES)}) == SHADES


def painted(layer: TrackLayer, view: Viewport, pasts: Iterable[int]) -> QImage:
    """A track of 2000 points in a window, after the cursor stood at each of these."""
    turn = np.linspace(0.0, 20.0, 2000)
    x, y = 0.5 + 1e-6 * turn * np.cos(turn), 0.3 + 1e-6 * turn * np.sin(turn)
    picture = QImage(300, 200, QImage.Format.Format_RGB32)
    for past in pasts:
        picture.fill(0)
        with QPainter(picture) as painter:
            line = TrackLine("one", x, y, past)
            layer.paint(painter, view, load_theme("light"), (line,))
    return picture


@pytest.mark.parametrize(
    "pasts", [(1500, 1450, 1300, 900), (1500, 1490, 1490, 1480, 900), (100, 1900, 800, 900)]
)
def test_a_cursor_that_goes_back_leaves_nothing_behind(
    qapp: QApplication, pasts: tuple[int, ...]
) -> None:
    """As if it had come there from the beginning, but for the smoothing of edges."""
    view = Viewport(0.5, 0.3, 15.0, 300, 200)
    there = painted(TrackLayer(), view, [0, pasts[-1]])
    back = painted(TrackLayer(), view, pasts)
    elsewhere = painted(TrackLayer(), view, [0, 1500])
    assert differing(elsewhere, there) > 500
    assert differing(back, there) < 10


def test_a_cursor_that_went_back_and_stands_is_part_of_the_picture(qapp: QApplication) -> None:
    view = Viewport(0.5, 0.3, 15.0, 300, 200)
    layer = TrackLayer()
    there = painted(TrackLayer(), view, [0, 1300])
    stood = painted(layer, view, [1500, *[1300] * 20])
    assert differing(stood, there) < 10
    assert differing(painted(layer, view, [1200]), painted(TrackLayer(), view, [0, 1200])) < 10


def differing(one: QImage, other: QImage) -> int:
    """How many bytes of the pictures differ by more than smoothing does."""
    pixels = [np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (one, other)]
    return int(np.count_nonzero(np.abs(pixels[0] - pixels[1]) > 100))
