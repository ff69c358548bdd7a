"""Geodesics by their differential equations, as a judge of all that reckons with them."""

import math

_EQUATOR_M, _FLATTENING = 6378137.0, 1.0 / 298.257223563  # WGS84
_STEPS = 50


def geodesic_end(
    latitude_deg: float, longitude_deg: float, azimuth_deg: float, distance_m: float
) -> tuple[float, float, float]:
    """Where a geodesic ends and by which azimuth, degrees: RK4 of phi' = cos a / M,
    l' = sin a / (N cos phi), a' = sin a tan phi / N, M and N being the radii of curvature."""
    state = tuple(map(math.radians, (latitude_deg, longitude_deg, azimuth_deg)))
    step = distance_m / _STEPS
    for _ in range(_STEPS):
        first = _rates(state)
        second = _rates(_moved(state, first, 0.5 * step))
        third = _rates(_moved(state, second, 0.5 * step))
        last = _rates(_moved(state, third, step))
        middle = _moved(second, third, 1.0)
        total = _moved(_moved(first, middle, 2.0), last, 1.0)
        state = _moved(state, total, step / 6.0)
    latitude, longitude, azimuth = map(math.degrees, state)
    return latitude, longitude, azimuth


def _rates(state: tuple[float, ...]) -> tuple[float, ...]:
    square = _FLATTENING * (2.0 - _FLATTENING)
    latitude, _, azimuth = state
    shrink = 1.0 - square * math.sin(latitude) ** 2
    across = _EQUATOR_M / math.sqrt(shrink)
    along = across * (1.0 - square) / shrink
    return (
        math.cos(azimuth) / along,
        math.sin(azimuth) / (across * math.cos(latitude)),
        math.sin(azimuth) * math.tan(latitude) / across,
    )


def _moved(state: tuple[float, ...], rates: tuple[float, ...], step: float) -> tuple[float, ...]:
    return tuple(x + step * rate for x, rate in zip(state, rates, strict=True))
