"""A shaded track: which segments get which colour."""

from itertools import pairwise

import numpy as np
from PySide6.QtGui import QColor

from widgets.map.scene import SHADES, Shading, TrackLine
from widgets.map.track_layer import of_level, shade
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
