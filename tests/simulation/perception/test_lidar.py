"""Lidars in a room whose walls are known."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.files.parameter_file import ParameterError
from simulation.perception.given_path import GivenPath
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.worlds.scene import WorldScene
from telemetry.protocol.streams.samples import ScanSample, ray_directions
from tests.simulation.perception.paths import still, turning
from tests.simulation.perception.rooms import rectangle, room, scene_of

Array = npt.NDArray[np.float64]

EXACT = {"noise_m": [[0.0, 0.0]], "resolution_m": 1e-6}


def _scans(
    path: GivenPath, scene: WorldScene, steps: int = 50, sensor: str = "utm-30lx", **changes: object
) -> list[SuiteSample]:
    suite = PerceptionSuite(path, scene, [SensorMount("front", sensor, changes=changes)])
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    path.advance(steps)
    assert not suite.failures
    return found


def _ranges(scan: SuiteSample) -> Array:
    assert isinstance(scan.sample, ScanSample)
    return scan.sample.ranges_m.astype(np.float64)


def _wall(distance: float, shade: float = 0.9) -> WorldScene:
    """One to the north, large."""
    w = 500.0
    return scene_of([rectangle((distance, -w, -w), (distance, w, -w), (distance, w, w), shade)])


def test_the_scanner_is_the_one_of_the_specification() -> None:
    """Hokuyo UTM-30LX: 1081 rays over 270 degrees, counter-clockwise seen from above."""
    (scan,) = _scans(GivenPath(still()), room())
    rays = ray_directions(scan.description)
    azimuth = np.degrees(np.arctan2(rays[:, 1], rays[:, 0]))
    assert azimuth == pytest.approx(135.0 - 0.25 * np.arange(1081), abs=1e-6)
    assert scan.description.rate_hz == 40.0
    after_us = scan.description.details["after_us"]
    assert (after_us[0], after_us[-1]) == (0.0, 18_750.0)


def test_ranges_are_those_to_the_walls() -> None:
    """Room of 8 m x 6 m, the aircraft 1 m north and 0.5 m east of its middle, facing north."""
    (scan,) = _scans(GivenPath(still(1.0, 0.5)), room(4.0, 3.0), **EXACT)
    angles = np.radians(135.0 - 0.25 * np.arange(1081))
    with np.errstate(divide="ignore"):
        north = np.where(np.cos(angles) > 0, 3.0, 5.0) / np.abs(np.cos(angles))
        east = np.where(np.sin(angles) > 0, 2.5, 3.5) / np.abs(np.sin(angles))
    assert _ranges(scan) == pytest.approx(np.minimum(north, east), abs=1e-5)
    right, left = _ranges(scan)[180], _ranges(scan)[900]
    assert (right, left) == pytest.approx((2.5, 3.5), abs=1e-5)


@pytest.mark.parametrize("sweep_ms", [18.75, 0.0])
def test_every_ray_is_cast_from_where_the_aircraft_then_is(sweep_ms: float) -> None:
    """Turning by 3 rad/s, the last ray of a scan looks 3.2 degrees aside from where it would if all
    were cast at once: the walls, drawn as if they were, come out bent."""
    rate = 3.0
    scan = _scans(
        GivenPath(turning(rate)), room(4.0, 3.0), sweep_ms=sweep_ms, delay_ms=0.0, **EXACT
    )[0]
    start_s = scan.truth.time_us / 1e6
    after_s = np.array(scan.description.details["after_us"]) / 1e6
    assert after_s[-1] == pytest.approx(sweep_ms / 1e3)
    azimuth = np.radians(135.0 - 0.25 * np.arange(1081)) + rate * (start_s + after_s)
    points = _ranges(scan)[:, None] * np.stack([np.cos(azimuth), np.sin(azimuth)], 1)
    assert _off_walls(points).max() < 2e-4
    assert scan.truth.values["direction"][:, :2] == pytest.approx(
        np.stack([np.cos(azimuth), np.sin(azimuth)], 1), abs=2e-5
    )
    at_once = np.radians(135.0 - 0.25 * np.arange(1081)) + rate * start_s
    bent = _ranges(scan)[:, None] * np.stack([np.cos(at_once), np.sin(at_once)], 1)
    assert (_off_walls(bent).max() > 0.05) == (sweep_ms > 0.0)


def _off_walls(points: Array) -> Array:
    """How far points are from the walls of the room of 8 m x 6 m."""
    return np.minimum(np.abs(np.abs(points[:, 0]) - 4.0), np.abs(np.abs(points[:, 1]) - 3.0))


@pytest.mark.parametrize(("distance", "deviation"), [(5.0, 0.01), (20.0, 0.02), (29.0, 0.0285)])
def test_noise_grows_with_distance_as_specified(distance: float, deviation: float) -> None:
    """Specification of the UTM-30LX: below 10 mm to 10 m, below 30 mm to 30 m."""
    scans = _scans(
        GivenPath(still()), _wall(distance), 1000, rays=21, first_deg=1.0, last_deg=-1.0, fade=0.0
    )
    errors = np.concatenate([_ranges(scan) - scan.truth.values["range_m"] for scan in scans])
    heard = errors[np.isfinite(errors)]
    assert len(heard) > 600
    assert heard.std() == pytest.approx(deviation, rel=0.1)
    assert abs(heard.mean()) < 4 * deviation / math.sqrt(len(heard))


def test_dark_and_glancing_surfaces_send_nothing_back() -> None:
    """White at 20 m: all; black paint: nothing; white at 85 degrees: less than met squarely."""

    def share(scene: WorldScene, first: float, last: float) -> float:
        scan = _scans(GivenPath(still()), scene, first_deg=first, last_deg=last, rays=501)[0]
        assert np.isfinite(scan.truth.values["range_m"]).all()
        return float(np.isfinite(_ranges(scan)).mean())

    assert share(_wall(20.0), 2.0, -2.0) > 0.99
    assert share(_wall(20.0, shade=0.15), 2.0, -2.0) < 0.05
    assert share(_wall(2.0, shade=0.15), 2.0, -2.0) > 0.99
    assert share(_wall(1.0), 85.0, 84.5) > 0.5 > share(_wall(1.0, shade=0.3), 85.0, 84.5)


def test_what_comes_back_is_as_bright_as_the_surface() -> None:
    """Reflectivity 0.9^2.2 of a grey of 0.9 on a screen, times the cosine of incidence."""
    scan = _scans(GivenPath(still()), _wall(5.0), first_deg=60.0, last_deg=-60.0, rays=3)[0]
    assert isinstance(scan.sample, ScanSample)
    assert scan.sample.intensities is not None
    assert scan.sample.intensities == pytest.approx(0.9**2.2 * np.array([0.5, 1.0, 0.5]), rel=1e-3)


def test_nothing_within_reach_is_no_return() -> None:
    scan = _scans(GivenPath(still()), _wall(31.0))[0]
    assert np.isnan(_ranges(scan)).all()
    assert (scan.truth.values["triangle"] == -1).all()
    assert np.isinf(scan.truth.values["range_m"]).all()


def test_an_empty_world_sends_nothing_back() -> None:
    scan = _scans(GivenPath(still()), _wall(-5.0))[0]
    assert np.isnan(_ranges(scan)[200:800]).all()


def test_inside_a_wall_the_flight_goes_on() -> None:
    """Stated: what is nearer than `least_m` sends nothing back. 10 cm of wall around the sensor."""
    sides = [rectangle((x, -9.0, -9.0), (x, 9.0, -9.0), (x, 9.0, 9.0)) for x in (-0.05, 0.05)]
    scans = _scans(GivenPath(still()), scene_of(sides), 100)
    assert len(scans) == 3
    assert scans[0].description.details["least_m"] == 0.1
    for scan in scans:
        ahead = _ranges(scan)[500:580]
        assert np.isnan(ahead).all()
        heard = _ranges(scan)[np.isfinite(_ranges(scan))]
        assert (heard >= 0.1).all()


def test_a_share_of_rays_can_be_lost() -> None:
    (scan,) = _scans(GivenPath(still()), room(), ray_loss=0.4)
    assert np.isnan(_ranges(scan)).mean() == pytest.approx(0.4, abs=0.05)


@pytest.mark.slow
def test_the_spinning_lidar_sees_all_around_and_up_and_down() -> None:
    """VLP-16: 16 beams from -15 to 15 degrees, a turn in 0.1 s."""
    (scan,) = _scans(GivenPath(still()), room(), 210, "vlp-16", **EXACT)
    rays = ray_directions(scan.description)
    assert rays.shape == (16 * 1808, 3)
    raised = np.degrees(np.arcsin(-rays[:16, 2]))
    assert sorted(raised) == pytest.approx(np.arange(-15.0, 16.0, 2.0))
    points = scan.truth.position_m + rays * _ranges(scan)[:, None]
    off = np.minimum(_off_walls(points), np.abs(np.abs(points[:, 2] + 1.5) - 1.5))
    assert np.nanmax(off) < 1e-5
    assert np.isfinite(_ranges(scan)).mean() > 0.99


def test_the_spinning_lidar_fires_beam_after_beam() -> None:
    """VLP-16 manual 63-9243, 9.3.1 and tables 9-1 and 9-4: laser n of firing m 55.296 m + 2.304 n
    microseconds after the first; even lasers look down, odd ones up. It turns by 0.0036 degrees a
    microsecond."""
    (scan,) = _scans(GivenPath(turning(3.0)), room(), 210, "vlp-16", delay_ms=0.0, **EXACT)
    rays = ray_directions(scan.description)
    firing, laser = np.divmod(np.arange(len(rays)), 16)
    expected_us = 55.296 * firing + 2.304 * laser
    after_us = np.array(scan.description.details["after_us"])
    assert np.abs(after_us - expected_us).max() < 0.51  # whole microseconds
    assert np.degrees(np.arcsin(-rays[:3, 2])) == pytest.approx([-15.0, 1.0, -13.0])
    azimuth = np.degrees(np.unwrap(np.arctan2(rays[:, 1], rays[:, 0])))
    np.testing.assert_allclose(azimuth, -180.0 + 0.0036 * expected_us, atol=1e-5)
    # Where the aircraft turns, each ray leaves where it then points.
    true = scan.truth.values["direction"]
    heading = np.degrees(np.unwrap(np.arctan2(true[:, 1], true[:, 0])))
    turned = heading - heading[0] - (azimuth - azimuth[0])
    np.testing.assert_allclose(turned, np.degrees(3.0) * 1e-6 * after_us, atol=1e-3)


def test_beams_that_would_overtake_each_other_are_refused() -> None:
    with pytest.raises(ParameterError, match="beams of one direction take longer"):
        _scans(GivenPath(still()), room(), 1, "vlp-16", beam_interval_us=4.0)
