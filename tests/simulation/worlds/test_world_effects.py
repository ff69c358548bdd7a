"""What a world does from afar: the ground below, shelter from the wind, zones, satellites, echoes.

Expectations: Perera's law of shelter behind a solid fence as `simulation.worlds.world_effects`
cites it, worked out here once more; spherical shares of the sky; distances by hand."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from simulation.records.flight import ATTITUDE, POSITION
from simulation.records.interface import GPS_FIX_3D, GPS_NO_FIX
from simulation.simulator.simulator import Diverged, Simulator
from simulation.worlds.world import Box, WindZone
from tests.simulation.flights import parked
from tests.simulation.worlds.flown import box, world_of

_WIND_MPS = 10.0
_BEFORE_ALL = (-30.0, 0.0, 0.0)


def _held(place: Sequence[float], *bodies: Box, **world: Any) -> Simulator:
    """An aircraft that somebody holds still in a world, in a wind to the north, the same at all
    heights."""
    simulator = parked(name=world.pop("name", "ar100b"))
    simulator.enter(world_of(*bodies, **{"start_m": _BEFORE_ALL, **world}))
    simulator.set_wind(_WIND_MPS, 0.0)
    simulator.world["roughness"] = 0.0
    simulator.take_in_hands()
    simulator.record["state"]["motion"][POSITION : POSITION + 3] = place
    return simulator


def _wind_north(place: Sequence[float], *bodies: Box, **world: Any) -> float:
    simulator = _held(place, *bodies, **world)
    simulator.advance(1000)
    return float(simulator.output["true_wind"][0])


@pytest.mark.parametrize("heights", [5.0, 10.0, 20.0])
def test_behind_a_fence_the_wind_is_as_weak_as_measured(heights: float) -> None:
    """At half its height, where the wind comes from over z0 = 3 cm."""
    high = 4.0
    fence = box((0.0, 0.0, 0.0), (0.1, 900.0, high))
    kept = _wind_north((heights * high, 0.0, -0.5 * high), fence) / _WIND_MPS
    mixing = 2.0 * 0.4**2 / math.log(high / 0.03)
    eta = 0.5 * (mixing * heights) ** -0.47
    expected = 9.75 / heights * eta * math.exp(-0.67 * eta**1.5)
    assert 1.0 - kept == pytest.approx(min(expected, 1.0), abs=0.19)


def test_beside_above_and_before_a_body_the_wind_is_whole() -> None:
    house = box((0.0, 0.0, 0.0), (8.0, 8.0, 6.0))
    for place in ((8.0, 15.0, -2.0), (8.0, 0.0, -12.0), (-10.0, 0.0, -2.0)):
        assert _wind_north(place, house) == pytest.approx(_WIND_MPS)
    near, far = (_wind_north((north, 0.0, -2.0), house) for north in (10.0, 60.0))
    assert near < 0.3 * _WIND_MPS
    assert 0.7 * _WIND_MPS < far < _WIND_MPS


@pytest.mark.parametrize("wind_mps", [math.nan, math.inf, 1e300])
@pytest.mark.parametrize("what", ["wind", "turbulence_w20"])
def test_a_wind_that_is_no_number_ends_the_flight_and_not_the_process(
    wind_mps: float, what: str
) -> None:
    """As it does over level ground, where no ray looks for shelter."""
    for world in (None, world_of(box((0.0, 20.0, 0.0), (8.0, 8.0, 6.0)))):
        simulator = parked(name="ar100b")
        if world is not None:
            simulator.enter(world)
        simulator.world[what] = wind_mps
        with pytest.raises(Diverged):
            simulator.advance(2000)


def test_a_zone_has_a_wind_of_its_own_that_fades_at_its_edge() -> None:
    zone = WindZone("fan", (0.0, 0.0, -2.0), (2.0, 2.0, 2.0), (-4.0, 0.0, 0.0), 2.0)
    winds = [_wind_north((0.0, east, -2.0), wind_zones=(zone,)) for east in (0.5, 2.0, 4.0)]
    assert winds == pytest.approx([-4.0, 0.5 * (_WIND_MPS - 4.0), _WIND_MPS])


def test_under_a_roof_satellites_are_lost() -> None:
    roof = box((0.0, 0.0, -4.0), (300.0, 300.0, 0.2))
    simulator = _held((0.0, 0.0, -2.0), roof)
    simulator.record["parameters"]["gps_first_fix"] = 0
    simulator.advance(2000)
    assert simulator.output["gps_status"] == GPS_NO_FIX
    outside = _held((0.0, 0.0, -6.0), roof)  # on top of it, the negative control
    outside.record["parameters"]["gps_first_fix"] = 0
    outside.advance(2000)
    assert outside.output["gps_status"] == GPS_FIX_3D


def test_a_wall_hides_half_of_the_sky_and_the_fix_gets_worse() -> None:
    wall = box((0.3, 0.0, 0.0), (0.1, 3000.0, 3000.0))
    beside, free = _held((0.0, 0.0, -2.0), wall), _held((0.0, 0.0, -2.0))
    for simulator in (beside, free):
        simulator.record["parameters"]["gps_first_fix"] = 0
        simulator.advance(2000)
    seen, all_of_them = (int(s.output["gps_satellites"]) for s in (beside, free))
    assert seen == pytest.approx(0.5 * all_of_them, abs=1.0)
    assert beside.output["gps_pdop"] > 2.0 * free.output["gps_pdop"]


def _echo(place: Sequence[float], roll_deg: float, *bodies: Box) -> float:
    """Of hector's sonar, without noise."""
    simulator = _held(place, *bodies, name="hector")
    simulator.world["sensor_noise"] = 0.0
    simulator.world["bench_attitude"][0] = roll_deg
    half = 0.5 * math.radians(roll_deg)
    attitude = (math.cos(half), math.sin(half), 0.0, 0.0)
    simulator.record["state"]["motion"][ATTITUDE : ATTITUDE + 4] = attitude
    simulator.record["parameters"]["sonar_position"] = 0.0
    simulator.advance(300)
    return float(simulator.output["sonar_range_m"])


@pytest.mark.parametrize("roll_deg", [0.0, 15.0, 35.0])
def test_over_flat_ground_the_echo_is_that_without_a_world(roll_deg: float) -> None:
    without = parked(name="hector")
    without.world["sensor_noise"] = 0.0
    without.take_in_hands()
    half = 0.5 * math.radians(roll_deg)
    without.world["bench_attitude"][0] = roll_deg
    motion = without.record["state"]["motion"]
    motion[ATTITUDE : ATTITUDE + 4] = (math.cos(half), math.sin(half), 0.0, 0.0)
    motion[POSITION + 2] = -1.5
    without.record["parameters"]["sonar_position"] = 0.0
    without.advance(300)
    found = _echo((0.0, 0.0, -1.5), roll_deg)
    assert found == pytest.approx(float(without.output["sonar_range_m"]), abs=2e-3)


def test_beside_an_edge_the_nearest_echo_is_that_of_the_edge() -> None:
    """1 m high, 0.2 m aside: the centre goes past it, a ray of the cone does not."""
    table = box((0.0, 1.2, 0.0), (4.0, 2.0, 1.0))
    assert _echo((0.0, 0.0, -2.0), 0.0) == pytest.approx(2.0, abs=0.01)
    slant = _echo((0.0, 0.0, -2.0), 0.0, table)
    assert 1.0 < slant < 1.2
    assert _echo((0.0, 1.2, -2.0), 0.0, table) == pytest.approx(1.0, abs=0.01)


def test_a_wall_met_too_slantingly_sends_no_echo() -> None:
    wall = box((0.0, 0.3, 0.0), (9.0, 0.1, 20.0))
    assert _echo((0.0, 0.0, -2.0), 0.0, wall) == pytest.approx(2.0, abs=0.01)


def test_height_is_counted_from_what_is_below() -> None:
    """Held above a table, put down on it, and started on it: it stands on the table."""
    table = box((0.0, 0.0, 0.0), (6.0, 6.0, 1.5))
    simulator = parked()
    simulator.enter(world_of(table, start_m=(0.5, 0.5, -1.5)))
    simulator.advance(50)
    stood = float(simulator.output["true_position"][2])
    assert stood == pytest.approx(-1.5 - 0.155, abs=1e-3)
    simulator.take_in_hands()
    simulator.advance(50)
    assert float(simulator.output["true_position"][2]) < stood - 0.3
    simulator.put_down()
    simulator.advance(500)
    assert float(simulator.output["true_position"][2]) == pytest.approx(stood, abs=1e-4)
    assert simulator.output["crashed"] == 0


def test_an_aeroplane_is_held_above_the_ground_where_it_starts() -> None:
    simulator = parked(name="sea-vixen")
    hill = box((40.0, 0.0, 0.0), (30.0, 30.0, 12.0))
    simulator.enter(world_of(hill, start_m=(40.0, 0.0, -12.0), heading_deg=90.0))
    simulator.advance(100)
    assert simulator.output["true_position"].tolist() == pytest.approx([40.0, 0.0, -13.8])
    w, x, y, z = simulator.output["true_quaternion"]
    assert math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))) == pytest.approx(
        90.0
    )


def test_the_same_whatever_the_blocks() -> None:
    fence, zone = (
        box((-3.0, 0.0, 0.0), (0.1, 90.0, 2.0)),
        WindZone("fan", (0.0, 0.0, -2.0), (2.0, 2.0, 2.0), (-4.0, 0.0, 0.0), 2.0),
    )
    seen = []
    for block in (1, 7, 420):
        simulator = _held((0.0, 0.0, -1.0), fence, wind_zones=(zone,))
        for _ in range(420 // block):
            simulator.advance(block)
        seen.append(simulator.snapshot())
    assert seen[0] == seen[1] == seen[2]
    assert np.isfinite(simulator.output["true_wind"]).all()
