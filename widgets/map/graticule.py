"""Graticule: round numbers for a map's grid, labels and scale bar. Pure arithmetic."""

import math

from widgets.display_units import METRIC, DisplayUnits

_DEGREE_STEPS = (
    0.00001, 0.00002, 0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005,
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0,
)  # fmt: skip


def grid_step_deg(degrees_per_px: float, wanted_px: float = 120.0) -> float:
    """The round spacing of grid lines nearest above `wanted_px` apart."""
    wanted = degrees_per_px * wanted_px
    for step in _DEGREE_STEPS:
        if step >= wanted:
            return step
    return _DEGREE_STEPS[-1]


def grid_values(first_deg: float, last_deg: float, step_deg: float) -> list[float]:
    """The multiples of `step_deg` from `first_deg` to `last_deg`, at most 200 of them."""
    start = math.ceil(first_deg / step_deg - 1e-9)
    stop = math.floor(last_deg / step_deg + 1e-9)
    return [index * step_deg for index in range(start, min(stop, start + 199) + 1)]


def degree_label(value_deg: float, step_deg: float, is_latitude: bool) -> str:
    """A grid line's label: as many decimals as the step needs, and the hemisphere."""
    decimals = max(0, -math.floor(math.log10(step_deg) + 1e-9))
    positive, negative = ("N", "S") if is_latitude else ("E", "W")
    hemisphere = positive if value_deg >= 0 else negative
    return f"{abs(value_deg):.{decimals}f}° {hemisphere}"


def scale_bar(
    metres_per_px: float, longest_px: float = 110.0, units: DisplayUnits = METRIC
) -> tuple[float, str]:
    """Length in pixels and label of the longest round scale bar that fits `longest_px`."""
    unit_m = units.round_units_m(metres_per_px * longest_px)
    longest = metres_per_px * longest_px / unit_m
    magnitude = 10.0 ** math.floor(math.log10(longest))
    length_m = unit_m * max(
        factor * magnitude for factor in (1.0, 2.0, 5.0) if factor * magnitude <= longest
    )
    return length_m / metres_per_px, units.distance_text(length_m)


def place_text(latitude_deg: float, longitude_deg: float) -> str:
    """Coordinates to about a decimetre, in the order and signs that other tools accept."""
    return f"{latitude_deg:.6f}, {longitude_deg:.6f}"
