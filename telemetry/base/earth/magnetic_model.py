"""Magnetic field of the Earth: World Magnetic Model 2025, all 12 degrees.

    V = a sum_n (a/r)^(n+1) sum_m (g cos m l + h sin m l) P_nm(cos t),  B = -grad V

(Chulliat et al., "The US/UK World Magnetic Model for 2025-2030"; P_nm are Schmidt's semi-normalised
Legendre functions, t the geocentric colatitude, l the longitude, a the mean radius of the Earth.)
Truncating the sum costs more than it saves: at degree 4 the declination is up to 19 degrees wrong.
"""

import csv
import math
from functools import lru_cache
from typing import Final

from telemetry.base.earth.wgs84 import ECCENTRICITY2, EQUATOR_M
from telemetry.base.installation import RESOURCES

Vector = tuple[float, float, float]

_COEFFICIENTS = RESOURCES / "magnetic" / "wmm2025.csv"
_DEGREE = 12
_RADIUS_M = 6371200.0  # of the model's coefficients; not the ellipsoid's
_EPOCH = 2025.0
VALID_YEARS: Final = (2025.0, 2030.0)
"""From the model's epoch until its successor."""
_LEAST_SINE = 1e-9  # at the poles East is any direction; keep it finite


@lru_cache(maxsize=256)
def field_nt(latitude_deg: float, longitude_deg: float, height_m: float, year: float) -> Vector:
    """The field in nanotesla, NED, at a geodetic place `height_m` above the ellipsoid.

    `year` is a decimal year within VALID_YEARS; ValueError otherwise.
    """
    if not VALID_YEARS[0] <= year <= VALID_YEARS[1]:
        raise ValueError(
            f"The magnetic model holds from {VALID_YEARS[0]:.0f} to {VALID_YEARS[1]:.0f}, not in "
            f"{year:g}. Give a year within it."
        )
    latitude = math.radians(latitude_deg)
    radius, geocentric = _geocentric(latitude, height_m)
    north, east, down = _spherical_field(
        0.5 * math.pi - geocentric, math.radians(longitude_deg), radius, year - _EPOCH
    )
    tilt = latitude - geocentric  # between the ellipsoid's vertical and the line to its centre
    return (
        north * math.cos(tilt) + down * math.sin(tilt),
        east,
        down * math.cos(tilt) - north * math.sin(tilt),
    )


def gradient_nt_per_km(
    latitude_deg: float, longitude_deg: float, height_m: float, year: float
) -> tuple[Vector, Vector, Vector]:
    """How the field (NED, nT) changes per kilometre to the north, to the east and downwards."""
    span_km = 10.0
    north_deg = math.degrees(span_km * 1000.0 / _RADIUS_M)
    east_deg = north_deg / max(math.cos(math.radians(latitude_deg)), 1e-3)
    rows = []
    for d_north, d_east, d_up in ((north_deg, 0.0, 0.0), (0.0, east_deg, 0.0), (0.0, 0.0, -1e4)):
        ahead, behind = (
            field_nt(
                latitude_deg + sign * d_north,
                longitude_deg + sign * d_east,
                height_m + sign * d_up,
                year,
            )
            for sign in (1.0, -1.0)
        )
        x, y, z = ((a - b) / (2.0 * span_km) for a, b in zip(ahead, behind, strict=True))
        rows.append((x, y, z))
    return rows[0], rows[1], rows[2]


@lru_cache(maxsize=1)
def _coefficients() -> dict[tuple[int, int], tuple[float, float, float, float]]:
    """g, h, and their change per year, by degree and order."""
    lines = _COEFFICIENTS.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    names = ("g_nt", "h_nt", "g_nt_per_year", "h_nt_per_year")
    table = {}
    for row in rows:
        g, h, g_rate, h_rate = (float(row[name]) for name in names)
        table[int(row["n"]), int(row["m"])] = g, h, g_rate, h_rate
    return table


def _geocentric(latitude: float, height_m: float) -> tuple[float, float]:
    """Distance from the Earth's centre and geocentric latitude of a geodetic place."""
    sine, cosine = math.sin(latitude), math.cos(latitude)
    prime_vertical = EQUATOR_M / math.sqrt(1.0 - ECCENTRICITY2 * sine * sine)
    across = (prime_vertical + height_m) * cosine
    along = (prime_vertical * (1.0 - ECCENTRICITY2) + height_m) * sine
    return math.hypot(across, along), math.atan2(along, across)


def _spherical_field(colatitude: float, longitude: float, radius: float, years: float) -> Vector:
    """North, east and down of the sphere of that radius, nT."""
    sine = max(math.sin(colatitude), _LEAST_SINE)
    value, slope = _legendre(math.cos(colatitude), sine)
    north = east = down = 0.0
    for (n, m), (g0, h0, g_rate, h_rate) in _coefficients().items():
        scale = (_RADIUS_M / radius) ** (n + 2)
        g, h = g0 + years * g_rate, h0 + years * h_rate
        along = g * math.cos(m * longitude) + h * math.sin(m * longitude)
        across = g * math.sin(m * longitude) - h * math.cos(m * longitude)
        north += scale * along * slope[n][m]
        east += scale * m * across * value[n][m] / sine
        down -= scale * (n + 1) * along * value[n][m]
    return north, east, down


def _legendre(cosine: float, sine: float) -> tuple[list[list[float]], list[list[float]]]:
    """Schmidt semi-normalised P[n][m] and their derivatives by colatitude, by recursion in n."""
    size = _DEGREE + 1
    value = [[0.0] * size for _ in range(size)]
    slope = [[0.0] * size for _ in range(size)]
    value[0][0] = 1.0
    for n in range(1, size):
        step = 1.0 if n == 1 else math.sqrt((2 * n - 1) / (2 * n))
        value[n][n] = step * sine * value[n - 1][n - 1]
        slope[n][n] = step * (sine * slope[n - 1][n - 1] + cosine * value[n - 1][n - 1])
        for m in range(n):
            before = math.sqrt((n - 1) ** 2 - m * m) if n > 1 else 0.0
            scale = math.sqrt(n * n - m * m)
            older, older_slope = (value[n - 2][m], slope[n - 2][m]) if n > 1 else (0.0, 0.0)
            value[n][m] = ((2 * n - 1) * cosine * value[n - 1][m] - before * older) / scale
            change = cosine * slope[n - 1][m] - sine * value[n - 1][m]
            slope[n][m] = ((2 * n - 1) * change - before * older_slope) / scale
    return value, slope
