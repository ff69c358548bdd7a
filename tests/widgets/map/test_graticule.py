"""Round numbers for grid and scale."""

import pytest

from widgets.display_units import METRIC
from widgets.map.graticule import (
    degree_label,
    grid_step_deg,
    grid_values,
    place_text,
    scale_bar,
)


@pytest.mark.parametrize(
    ("degrees_per_px", "step"), [(1e-6, 0.0002), (1e-5, 0.002), (0.001, 0.2), (10.0, 30.0)]
)
def test_lines_are_at_least_as_far_apart_as_wanted(degrees_per_px: float, step: float) -> None:
    assert grid_step_deg(degrees_per_px, 120) == step


def test_lines_stand_at_multiples_of_the_step() -> None:
    assert grid_values(48.9451, 48.9489, 0.001) == pytest.approx([48.946, 48.947, 48.948])
    assert grid_values(-0.1, 0.1, 0.1) == pytest.approx([-0.1, 0.0, 0.1])


def test_labels_have_the_decimals_of_the_step() -> None:
    assert degree_label(48.946, 0.001, is_latitude=True) == "48.946° N"
    assert degree_label(-117.0, 1.0, is_latitude=False) == "117° W"
    assert degree_label(0.25, 0.05, is_latitude=False) == "0.25° E"


@pytest.mark.parametrize("metres_per_px", [0.01, 0.3, 0.7, 12.0, 4000.0])
def test_the_scale_bar_is_as_long_as_it_says(metres_per_px: float) -> None:
    length_px, text = scale_bar(metres_per_px, 110)
    number, unit = text.split("\u2009")
    metres = float(number) * {"cm": 0.01, "m": 1.0, "km": 1000.0}[unit]
    assert 40 <= length_px <= 110
    assert length_px * metres_per_px == pytest.approx(metres)


def test_distances_in_words() -> None:
    assert METRIC.distance_text(0.5) == "50\u2009cm"
    assert METRIC.distance_text(383.4) == "383\u2009m"
    assert METRIC.distance_text(1000) == "1\u2009km"
    assert METRIC.distance_text(1234) == "1.2\u2009km"
    assert METRIC.distance_text(12_345) == "12\u2009km"


def test_places_read_as_other_tools_write_them() -> None:
    assert place_text(-33.8688, 151.2093) == "-33.868800, 151.209300"
