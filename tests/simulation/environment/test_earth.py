"""Where the field lies: projection, magnetic model, and the presets' idea of it."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.preset import load_preset
from simulation.environment.earth import (
    FIELD_NEAR_BACKNANG,
    WorldOrigin,
    convergence,
    normal_gravity,
    place_on_earth,
)
from simulation.estimation.flat_earth import fix_from_home, place_from_home, set_home_frame
from simulation.records.flight import POSITION, VELOCITY, WORLD
from simulation.sensors.gps import show_fix
from simulation.simulator.simulator import Simulator
from telemetry.base.earth.magnetic_model import field_nt
from telemetry.base.earth.tangent_plane import plane_at
from telemetry.base.earth.wgs84 import metres_per_degree
from telemetry.base.installation import RESOURCES
from tests.geodesics import geodesic_end
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
    latitude, longitude = place_on_earth(_laid(place), north, east)
    there = WorldOrigin(latitude, longitude, place.altitude_m - down)
    moved = world["field_mgauss"] + (north, east, down) @ world["field_gradient"]
    turn = convergence(_laid(place), latitude, longitude)
    to_north, to_east, below = there.field_mgauss()
    turned = (
        math.cos(turn) * to_north + math.sin(turn) * to_east,
        math.cos(turn) * to_east - math.sin(turn) * to_north,
        below,
    )
    assert moved == pytest.approx(turned, abs=0.02)
    assert turned != pytest.approx(place.field_mgauss(), abs=0.02)


@pytest.mark.parametrize("name", sorted(path.stem for path in _PRESETS.glob("*.json")))
def test_presets_know_the_field_at_home(name: str) -> None:
    home = load_preset(name).objects["HomeLocation"]
    place = WorldOrigin(home["Latitude"] / 1e7, home["Longitude"] / 1e7, home["Altitude"])
    assert home["Be"] == pytest.approx(place.field_mgauss(), abs=0.1)


@pytest.mark.parametrize("latitude_deg", [-70.0, 0.0, 48.946])
def test_north_and_east_are_distance_and_azimuth_of_geodesics(latitude_deg: float) -> None:
    """100 km in all directions, within 0.1 m, by what terrain and range rings reckon with too."""
    place = WorldOrigin(latitude_deg, 9.43, 270.0)
    world = _laid(place)
    for azimuth_deg in range(0, 360, 30):
        north, east = _away(FAR_M, azimuth_deg)
        there = geodesic_end(latitude_deg, 9.43, azimuth_deg, FAR_M)
        assert _apart_m(place_on_earth(world, north, east), there) < 0.1
        (many,) = (
            plane_at(latitude_deg, 9.43).ground_places(np.array([north]), np.array([east])).tolist()
        )
        assert _apart_m(many, there) < 0.1
        assert convergence(world, *there[:2]) == pytest.approx(
            math.radians(math.remainder(there[2] - azimuth_deg, 360.0)), abs=math.radians(2e-4)
        )


def test_degrees_of_one_length_would_be_a_kilometre_off() -> None:
    """Negative control: what was reckoned with, the equirectangular projection."""
    start = FIELD_NEAR_BACKNANG
    north, east = _away(FAR_M, 60.0)
    scale = metres_per_degree(start.latitude_deg)
    flat = start.latitude_deg + north / scale[0], start.longitude_deg + east / scale[1]
    there = geodesic_end(start.latitude_deg, start.longitude_deg, 60.0, FAR_M)
    assert _apart_m(flat, there) > 500.0


def test_the_receivers_velocity_is_the_rate_of_its_latitude_and_longitude() -> None:
    """100 km to the east, where the Earth's north is 1.03 deg off the world's."""
    simulator = parked()
    simulator.record["parameters"]["gps_first_fix"] = 0
    fixes = []
    for second in range(2):
        motion = simulator.record["state"]["motion"]
        motion[POSITION : POSITION + 2] = 20.0 * second, FAR_M
        motion[VELOCITY : VELOCITY + 2] = 20.0, 0.0
        world, output = simulator.record["world"], simulator.output
        simulator.advance(1)
        slot = [20.0 * second, FAR_M, 0.0, 20.0, 0.0, 0.0, 10.0]
        show_fix(simulator.record["parameters"], world, output, 0, slot)
        fixes.append((float(output["gps_latitude_deg"]), float(output["gps_longitude_deg"])))
        truth = float(output["true_latitude_deg"]), float(output["true_longitude_deg"])
        assert _apart_m(truth, fixes[-1]) < 0.1
    per_degree = metres_per_degree(fixes[0][0])
    moved = [(b - a) * metres for a, b, metres in zip(*fixes, per_degree, strict=True)]
    assert output["gps_velocity"][:2] == pytest.approx(moved, abs=0.02)
    assert output["gps_velocity"][1] == pytest.approx(20.0 * math.sin(math.radians(1.03)), abs=0.01)


@pytest.mark.parametrize("azimuth_deg", [0.0, 75.0, 200.0])
def test_a_map_shows_a_boards_position_where_its_arithmetic_puts_it(azimuth_deg: float) -> None:
    """Firmware's tangent plane in single precision there, the station's back: within a metre. From
    home 1500 m high the plane is 19 m longer than the geodesic on the ellipsoid."""
    home = WorldOrigin(48.946, 9.43, 1500.0)
    settings = {
        "home_latitude_deg": home.latitude_deg,
        "home_longitude_deg": home.longitude_deg,
        "home_altitude_m": home.altitude_m,
    }
    board = {"home": np.zeros(3), "home_rotation": np.zeros((3, 3))}
    set_home_frame(settings, board)
    there = geodesic_end(home.latitude_deg, home.longitude_deg, azimuth_deg, FAR_M)
    north, east, _ = place_from_home(board, *there[:2], home.altitude_m)
    plane = plane_at(home.latitude_deg, home.longitude_deg, home.altitude_m)
    assert _apart_m(plane.latitude_longitude(north, east), there) < 1.0
    fix = dict(zip(("gps_latitude_deg", "gps_longitude_deg"), there, strict=False))
    own = fix_from_home(settings, fix | {"gps_altitude_m": home.altitude_m})
    assert own == pytest.approx((north, east), abs=1.0)
    on_ground = plane_at(home.latitude_deg, home.longitude_deg)
    (as_arc,) = on_ground.ground_places(np.array([north]), np.array([east])).tolist()
    assert _apart_m(as_arc, there) > 10.0  # negative control


FAR_M = 100_000.0


def _away(distance_m: float, azimuth_deg: float) -> tuple[float, float]:
    azimuth = math.radians(azimuth_deg)
    return distance_m * math.cos(azimuth), distance_m * math.sin(azimuth)


def _laid(place: WorldOrigin) -> Any:
    world = np.zeros(1, WORLD)[0]
    place.lay(world)
    return world


def _apart_m(a: Sequence[float], b: Sequence[float]) -> float:
    per_degree = metres_per_degree(a[0])
    return math.hypot((b[0] - a[0]) * per_degree[0], (b[1] - a[1]) * per_degree[1])


@pytest.mark.parametrize(("latitude_deg", "gravity"), [(0.0, 9.7803253359), (90.0, 9.8321849379)])
def test_gravity_on_the_ellipsoid_is_that_of_its_definition(
    latitude_deg: float, gravity: float
) -> None:
    """NIMA TR8350.2, table 3.4: normal gravity at the equator and at the poles; and the free-air
    gradient, 0.3086 mGal/m."""
    assert normal_gravity(latitude_deg, 0.0) == pytest.approx(gravity, abs=2e-10)
    lower, upper = (normal_gravity(45.0, height) for height in (0.0, 1000.0))
    assert (upper - lower) / 1000.0 == pytest.approx(-3.086e-6, rel=2e-3)


@pytest.mark.parametrize(("latitude_deg", "north_m"), [(0.0, 0.0), (80.0, 0.0), (48.946, 1e5)])
def test_what_falls_falls_as_fast_as_there(latitude_deg: float, north_m: float) -> None:
    """From 500 m for a second, without drag and rotors: g t^2 / 2, up to 15 mm off with 9.81."""
    place = WorldOrigin(latitude_deg, 9.43, 100.0)
    simulator = Simulator(parked().aircraft, 1, place)
    simulator.record["parameters"]["drag_force"] = 0.0
    motion = thrown(simulator, 500.0).record["state"]["motion"]
    motion[POSITION] = north_m
    simulator.advance(20)  # until gravity is that of the place
    start, speed = float(motion[POSITION + 2]), float(motion[VELOCITY + 2])
    simulator.advance(1000)
    there, _ = place_on_earth(_laid(place), north_m, 0.0)
    gravity = normal_gravity(there, 600.0 - 2.5)
    assert motion[POSITION + 2] - start == pytest.approx(speed + 0.5 * gravity, abs=1e-4)
    assert motion[POSITION + 2] - start != pytest.approx(speed + 0.5 * 9.81, abs=4e-4)
