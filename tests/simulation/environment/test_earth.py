"""Where the field lies: projection, magnetic model, and the presets' idea of it."""

import math

import pytest

from simulation.autopilot.preset import load_preset
from simulation.environment.earth import FIELD_NEAR_BACKNANG, WorldOrigin, metres_per_degree
from telemetry.base.earth.magnetic_model import field_nt
from telemetry.base.earth.wgs84 import EQUATOR_M, FLATTENING
from telemetry.base.installation import RESOURCES
from tests.simulation.flights import parked, thrown

_PRESETS = RESOURCES / "airframes"


@pytest.mark.parametrize(
    ("place", "declination", "inclination", "strength"),
    [
        ((49.860246, 8.687077), 3.534, 65.671, 49_036.8),
        ((47.397742, 8.545594), 3.423, 63.502, 48_327.2),
        ((-35.363, 149.165), 12.647, -66.044, 58_117.5),
    ],
)
def test_field_is_that_of_the_world_magnetic_model(
    place: tuple[float, float], declination: float, inclination: float, strength: float
) -> None:
    """Check values from an independent implementation, WMM2025 at 2025.0 and 100 m."""
    north, east, down = field_nt(*place, 100.0, 2025.0)
    assert math.degrees(math.atan2(east, north)) == pytest.approx(declination, abs=0.01)
    found = math.degrees(math.atan2(down, math.hypot(north, east)))
    assert found == pytest.approx(inclination, abs=0.01)
    assert math.hypot(north, east, down) == pytest.approx(strength, abs=1.0)


def test_field_is_finite_at_the_pole_and_refused_out_of_its_years() -> None:
    assert all(math.isfinite(part) for part in field_nt(90.0, 0.0, 0.0, 2026.0))
    with pytest.raises(ValueError, match="2025 to 2030"):
        field_nt(49.0, 9.0, 0.0, 2031.0)


@pytest.mark.parametrize("move", [(20.0, 0.0, 0.0), (0.0, -20.0, 0.0), (5.0, 5.0, -3.0)])
def test_compass_follows_the_model_when_the_aircraft_moves(
    move: tuple[float, float, float],
) -> None:
    """Within 1 nT of the full model 20 km away."""
    simulator = parked()
    north, east, down = (1000.0 * km for km in move)
    world, place = simulator.record["world"], simulator.place
    scale = metres_per_degree(place.latitude_deg)
    there = WorldOrigin(
        place.latitude_deg + north / scale[0],
        place.longitude_deg + east / scale[1],
        place.altitude_m - down,
    )
    moved = world["field_mgauss"] + (north, east, down) @ world["field_gradient"]
    assert moved == pytest.approx(there.field_mgauss(), abs=0.02)
    assert there.field_mgauss() != pytest.approx(place.field_mgauss(), abs=0.02)


@pytest.mark.parametrize("name", sorted(path.stem for path in _PRESETS.glob("*.json")))
def test_presets_know_the_field_at_home(name: str) -> None:
    home = load_preset(name).objects["HomeLocation"]
    place = WorldOrigin(home["Latitude"] / 1e7, home["Longitude"] / 1e7, home["Altitude"])
    assert home["Be"] == pytest.approx(place.field_mgauss(), abs=0.1)


def test_projection_agrees_with_the_geodesic() -> None:
    """1 km in all directions, to 5 cm."""
    start = FIELD_NEAR_BACKNANG
    scale = metres_per_degree(start.latitude_deg)
    for course_deg in range(0, 360, 30):
        north = 1000.0 * math.cos(math.radians(course_deg))
        east = 1000.0 * math.sin(math.radians(course_deg))
        there = (start.latitude_deg + north / scale[0], start.longitude_deg + east / scale[1])
        found = _vincenty_m((start.latitude_deg, start.longitude_deg), there)
        assert found == pytest.approx(1000.0, abs=0.2)


def test_position_on_the_map_is_that_of_the_world() -> None:
    simulator = thrown(parked(), 10.0, velocity=(20.0, -10.0, 0.0))
    simulator.record["parameters"]["drag_force"] = 0.0
    simulator.advance(1000)
    output, start = simulator.output, simulator.place
    there = (float(output["true_latitude_deg"]), float(output["true_longitude_deg"]))
    found = _vincenty_m((start.latitude_deg, start.longitude_deg), there)
    assert found == pytest.approx(math.hypot(20.0, 10.0), rel=1e-4)


def _vincenty_m(start: tuple[float, float], end: tuple[float, float]) -> float:
    """Length of the geodesic on WGS84 between two places in degrees: Vincenty's inverse formula
    (Survey Review 23, 1975)."""
    f, a = FLATTENING, EQUATOR_M
    u1, u2 = (math.atan((1 - f) * math.tan(math.radians(p[0]))) for p in (start, end))
    difference = math.radians(end[1] - start[1])
    lam = difference
    for _ in range(50):
        s = math.hypot(
            math.cos(u2) * math.sin(lam),
            math.cos(u1) * math.sin(u2) - math.sin(u1) * math.cos(u2) * math.cos(lam),
        )
        c = math.sin(u1) * math.sin(u2) + math.cos(u1) * math.cos(u2) * math.cos(lam)
        sigma = math.atan2(s, c)
        sine = math.cos(u1) * math.cos(u2) * math.sin(lam) / s
        cos2 = 1 - sine * sine
        mid = c - 2 * math.sin(u1) * math.sin(u2) / cos2
        k = f / 16 * cos2 * (4 + f * (4 - 3 * cos2))
        around = sigma + k * s * (mid + k * c * (2 * mid * mid - 1))
        lam = difference + (1 - k) * f * sine * around
    b = a * (1 - f)
    u = cos2 * (a * a - b * b) / (b * b)
    big_a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
    big_b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
    inner = c * (2 * mid * mid - 1) - big_b / 6 * mid * (4 * s * s - 3) * (4 * mid * mid - 3)
    return b * big_a * (sigma - big_b * s * (mid + big_b / 4 * inner))
