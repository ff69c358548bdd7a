"""Sensors and mounts as files: the shipped ones, and what is said about wrong ones."""

from pathlib import Path

import pytest

from simulation.aircraft.aircraft import aircraft_names, load_aircraft
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.files.parameter_file import NumberKey, ParameterError, what_is_wrong
from simulation.perception.given_path import GivenPath
from simulation.perception.kinds import KINDS
from simulation.perception.sensor_file import load_sensor, sensor_names
from simulation.perception.sensor_settings import COMMON_FAULTS
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.simulator.controls import fault_range
from tests.simulation.perception.paths import still
from tests.simulation.perception.rooms import room

RANGING = ("utm-30lx", "vlp-16", "hector-sonar", "ardrone-sonar", "lidar-lite-v3")

AIRCRAFT = """\
base = "ar100b"
name = "Mine"

[mounts.front]
sensor = "utm-30lx"
position_m = [0.1, 0.0, -0.05]
attitude_deg = [0.0, -10.0, 0.0]
rays = 541
"""


def _aircraft(folder: Path, old: str = "", new: str = "") -> Path:
    path = folder / "mine.toml"
    assert old in AIRCRAFT
    path.write_text(AIRCRAFT.replace(old, new) if old else AIRCRAFT, encoding="utf-8")
    return path


def _made(mounts: tuple[SensorMount, ...]) -> PerceptionSuite:
    return PerceptionSuite(GivenPath(still()), room(), mounts)


def test_every_shipped_sensor_can_be_read() -> None:
    assert set(RANGING) <= set(sensor_names())
    for name in sensor_names():
        settings = load_sensor(SensorMount("it", name))
        assert settings.title
        assert settings.values["rate_hz"] > 0


@pytest.mark.parametrize("name", aircraft_names())
def test_every_shipped_mount_has_its_sensor(name: str) -> None:
    for mount in load_aircraft(name).mounts:
        assert load_sensor(mount).mount.section == f"mounts.{mount.name}"


def test_an_aircraft_file_mounts_sensors(tmp_path: Path) -> None:
    aircraft = load_aircraft(_aircraft(tmp_path))
    (mount,) = aircraft.mounts
    assert (mount.name, mount.sensor) == ("front", "utm-30lx")
    assert mount.position_m == (0.1, 0.0, -0.05)
    assert mount.attitude_deg == (0.0, -10.0, 0.0)
    (description,) = _made(aircraft.mounts).descriptions
    assert len(description.details["directions"]) == 541
    assert description.name == "front"


def test_mounts_change_nothing_of_the_physics(tmp_path: Path) -> None:
    parameters = load_aircraft(_aircraft(tmp_path)).parameters
    assert parameters.tobytes() == load_aircraft("ar100b").parameters.tobytes()


def test_a_payload_moves_mounts_as_it_moves_rotors(tmp_path: Path) -> None:
    """By its mass over the whole, away from it: all places are from the centre of mass."""
    path = _aircraft(tmp_path)
    payload = "[payload]\nmass_kg = 0.26\nposition_m = [0.0, 0.0, 0.12]\n"
    path.write_text(path.read_text(encoding="utf-8") + payload, encoding="utf-8")
    (mount,) = load_aircraft(path).mounts
    assert mount.position_m == pytest.approx((0.1, 0.0, -0.05 - 0.12 * 0.26 / 1.56))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rays = 541", "rays = 0", r"mine.toml, line 8: 'rays' in \[mounts.front\] is 0, which is"),
        ("rays = 541", "rays = nan", r"line 8: 'rays' in \[mounts.front\] is nan.*whole number"),
        ("rays = 541", "rays = 10.5", r"line 8: 'rays' .* is 10.5"),
        ("rays = 541", 'rays = "many"', r"line 8: 'rays' .* has the wrong form"),
        ("rays = 541", "rayz = 541", r"line 8: Unknown key 'rayz'.* Write rays"),
        ("rays = 541", "rays = 60000\nelevation_deg = [-1, -0.9, -0.8, -0.7, -0.6, -0.5, -0.4, "
         "-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]", r"line 8: .* more than"),
        ("rays = 541", "elevation_deg = []", r"line 8: 'elevation_deg' is empty"),
        ("rays = 541", "sweep_ms = 30.0", r"line 8: 'sweep_ms' is longer .* at most 25"),
        ("rays = 541", "least_m = 50.0", r"line 8: 'least_m' is not below"),
        ("rays = 541", "noise_m = [[2.0, 0.1], [1.0, 0.1]]", r"line 8: The distances of 'noise_m'"),
        ("rays = 541", "rate_hz = 1e9", r"line 8: 'rate_hz' .* from 0.01 to 1000"),
        ("rays = 541", "lost = 1.5", r"line 8: 'lost' .* is 1.5"),
        ("utm-30lx", "utm-31lx", r"line 5: There is no sensor 'utm-31lx'.*utm-30lx"),
        ("utm-30lx", "none.toml", r"none.toml: The file cannot be read"),
    ],
)  # fmt: skip
def test_what_a_sensor_cannot_be_is_said_with_file_line_and_remedy(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    mounts = load_aircraft(_aircraft(tmp_path, old, new)).mounts
    with pytest.raises(ParameterError, match=message):
        _made(mounts)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('sensor = "utm-30lx"', "sensor = 3", r"line 5: 'sensor' is no text"),
        ('sensor = "utm-30lx"\n', "", r"line 4: 'sensor' is missing in \[mounts.front\]"),
        ("position_m = [0.1, 0.0, -0.05]", "position_m = [0.1]", r"line 6: .* the wrong form"),
        ("[mounts.front]", '[mounts."../etc"]', r"cannot name a mount"),
        ("-0.05]", "-1e9]", r"line 6: 'position_m' .* is -1e\+09"),
    ],
)
def test_what_a_mount_cannot_be_is_said_when_the_aircraft_is_read(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        load_aircraft(_aircraft(tmp_path, old, new))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('title = "x"\n', "no tables that say of which kind"),
        ('title = "x"\n[sonar]\n[lidar]\n', "2 tables"),
        ('title = "x"\n[sonarr]\n', r"line 2: Unknown key 'sonarr'.* Write sonar"),
        ('title = "x"\n[sonar]\nrate_hz = 10\n', r"line 2: 'least_m' is missing"),
        ('base = "hector-sonar"\ntitle = ""\n', r"line 2: 'title' must be a text"),
    ],
)
def test_what_a_sensor_file_cannot_be(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "it.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ParameterError, match=message):
        load_sensor(SensorMount("it", str(path)))


def test_a_file_of_ones_own_may_say_only_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "it.toml"
    path.write_text('base = "hector-sonar"\n[sonar]\nlongest_m = 5.0\n', encoding="utf-8")
    settings = load_sensor(SensorMount("it", str(path)))
    assert settings.values["longest_m"] == 5.0
    assert settings.values["cones"] == 2


def test_two_mounts_of_one_name_are_refused() -> None:
    mount = SensorMount("down", "hector-sonar")
    with pytest.raises(ParameterError, match="Two mounts are named 'down'"):
        _made((mount, mount))


def test_aircraft_share_what_they_look_at() -> None:
    surroundings = Surroundings(room())
    for _ in range(2):
        PerceptionSuite(GivenPath(still()), surroundings, [SensorMount("it", "utm-30lx")])
    assert surroundings.rays is surroundings.rays


@pytest.mark.parametrize("kind", KINDS)
def test_every_fault_has_a_slider_that_offers_nothing_impossible(kind: str) -> None:
    for fault, rule in {**COMMON_FAULTS, **KINDS[kind].faults}.items():
        assert isinstance(rule, NumberKey)
        offered = fault_range(f"front.{fault}", rule.default)
        assert offered is not None
        assert not what_is_wrong(offered.low, rule)
        assert not what_is_wrong(offered.high, rule)
        assert offered.default == rule.default
    assert fault_range("front.rust", 0.0) is None
