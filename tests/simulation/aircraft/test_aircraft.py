"""Aircraft files: the shipped ones, and what is said about wrong ones."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.aircraft.aircraft import FOLDER, aircraft_names, load_aircraft, rotor_sentence
from simulation.aircraft.performance import figure_of_merit, hover, rotor_finding, static_thrust
from simulation.aircraft.trim import nominal_voltage, trim
from simulation.environment.earth import GRAVITY
from simulation.files.parameter_file import ParameterError, remedy_for
from simulation.perception.sensor_file import load_sensor
from simulation.scenarios.scenario_file import load_scenario
from telemetry.base.finding import Level
from tests.simulation.multirotors import MULTIROTORS

_PLAIN = ("ar100b", "crazyflie", "hector")
"""Those whose file says everything itself."""


def test_the_shipped_aircraft_is_the_one_of_the_paper() -> None:
    """Seed 000, section 3.1: 1300 g, 1000 mm across, 250 mm high."""
    aircraft = load_aircraft("ar100b")
    p = aircraft.parameters
    assert aircraft.name == "AR100B"
    assert p["mass"] == pytest.approx(1.3)
    assert p["rotor_count"] == 4
    assert _reach(p) + p["rotor_radius"] == pytest.approx(0.5, abs=0.001)
    points = p["point"][: int(p["point_count"])]
    assert points[:, 2].max() - points[:, 2].min() == pytest.approx(0.25)
    assert aircraft.cells == 3
    assert aircraft.capacity_mah == pytest.approx(3300.0)


@pytest.mark.parametrize("name", aircraft_names())
def test_every_point_is_within_reach_of_the_ground(name: str) -> None:
    p = load_aircraft(name).parameters
    assert p["contact_reach"] == pytest.approx(np.linalg.norm(p["point"], axis=1).max())


def test_the_large_hexacopter_is_the_one_of_the_paper() -> None:
    """Seed 000, section 6: 200 cm across, overall weight 10 kg of which 3 kg are payload."""
    p, loaded = (load_aircraft(name).parameters for name in ("ar200", "ar200-payload"))
    assert p["rotor_count"] == loaded["rotor_count"] == 6
    assert _reach(p) + p["rotor_radius"] == pytest.approx(1.0, abs=0.001)
    assert loaded["mass"] == pytest.approx(10.0)
    assert loaded["mass"] - p["mass"] == pytest.approx(3.0)


def test_a_payload_moves_sensors_as_it_moves_rotors() -> None:
    """All places are from the centre of mass, which the payload pulls down."""
    p, loaded = (load_aircraft(name).parameters for name in ("ar200", "ar200-payload"))
    shift = loaded["rotor_position"][0] - p["rotor_position"][0]
    assert shift == pytest.approx([0.0, 0.0, -0.15 * 3.0 / 10.0])
    for member in ("point", "imu_position", "sonar_position"):
        assert (loaded[member] - p[member]).reshape(-1, 3)[0] == pytest.approx(shift)


def test_a_payload_moves_the_centre_of_mass_and_adds_inertia() -> None:
    p, loaded = (load_aircraft(name).parameters for name in ("ar200", "ar200-payload"))
    shift = 3.0 * 0.15 / 10.0
    assert loaded["rotor_position"][0][2] == pytest.approx(p["rotor_position"][0][2] - shift)
    assert loaded["point"][0][2] == pytest.approx(p["point"][0][2] - shift)
    # Both masses about the common centre of mass.
    about = 7.0 * shift**2 + 3.0 * (0.15 - shift) ** 2
    assert loaded["inertia"] - p["inertia"] == pytest.approx([about, about, 0.0])


@pytest.mark.parametrize("name", MULTIROTORS)
def test_every_multirotor_hovers_with_reserve_and_for_minutes(name: str) -> None:
    aircraft = load_aircraft(name)
    point = hover(aircraft.parameters)
    assert 1.8 < point.thrust_to_weight < 3.2
    assert 0.35 < point.duty < 0.75
    energy_wh = aircraft.capacity_mah / 1000 * aircraft.cells * 3.7
    assert 4.0 < 60.0 * energy_wh / point.power_w < 60.0


@pytest.mark.parametrize("name", MULTIROTORS)
def test_no_propeller_is_better_than_momentum_theory(name: str) -> None:
    """Ideal power T sqrt(T / (2 rho A)); the figure of merit is below 0.8."""
    p = load_aircraft(name).parameters
    point = hover(p)
    area = math.pi * p["rotor_radius"] ** 2
    ideal = point.thrust_n * math.sqrt(point.thrust_n / (2 * 1.225 * area))
    assert figure_of_merit(p) == pytest.approx(ideal / (point.torque_nm * point.speed_radps))
    assert figure_of_merit(p) < 0.8


@pytest.mark.parametrize("name", MULTIROTORS)
def test_every_file_tells_its_sources(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert re.search(r"^# .*(seed 00\d|gym-pybullet-drones)", text, re.MULTILINE)


@pytest.mark.parametrize("name", aircraft_names())
def test_no_sensor_is_in_the_ground_while_the_aircraft_stands(name: str) -> None:
    """hector: feet 182 mm down by quadrotor_base.stl, lidar 97 mm by its xacro."""
    aircraft = load_aircraft(name)
    p = aircraft.parameters
    feet = p["point"][: int(p["foot_count"]), 2]
    stands_m = feet.min(initial=np.inf) - p["contact_depth"]
    assert all(mount.position_m[2] < stands_m for mount in aircraft.mounts)


def test_the_parts_of_the_mcx2_are_those_that_were_weighed(tmp_path: Path) -> None:
    """Seed 003, table 2, which says 30.29 g; none of the others has one."""
    aircraft = load_aircraft("mcx2")
    assert sum(aircraft.parts_kg.values()) == pytest.approx(0.03029)
    assert aircraft.parts_kg["battery"] == 0.00425
    assert load_aircraft("hector").parts_kg == {}
    heavier = tmp_path / "heavier.toml"
    start = 'base = "mcx2"\nname = "heavier"\n[parts]\n'
    for line, message in (
        ("tail_kg = 0.007", "parts weigh 0.03658 kg together, and 'mass_kg' of .body. is 0.03"),
        ("tail = 0.7", "'tail' has no unit. Write tail_kg, in kg"),
        ("tail_kg = -1.0", "tail_kg"),
    ):
        heavier.write_text(start + line, encoding="utf-8")
        with pytest.raises(ParameterError, match=message):
            load_aircraft(heavier)


def test_the_camera_of_the_sea_vixen_weighs_something_and_sits_on_top_of_it() -> None:
    """Seed 004: 812.4 g with the logger, and a camera of 12 g that is not in the sum."""
    bare, loaded = load_aircraft("sea-vixen"), load_aircraft("sea-vixen-camera")
    assert loaded.parameters["mass"] - bare.parameters["mass"] == pytest.approx(0.012)
    shift = loaded.parameters["point"][0] - bare.parameters["point"][0]
    (camera,) = loaded.mounts
    assert camera.position_m == pytest.approx(np.array([0.10, 0.0, -0.06]) + shift)
    assert load_sensor(camera).values["width_px"] == 640


def test_the_camera_of_the_sea_vixen_has_the_direction_of_flight_in_its_upper_third() -> None:
    """Seed 004, 4.7; between the speeds that it is guided with, 12 and 20 m/s."""
    aircraft = load_aircraft("sea-vixen-camera")
    (camera,) = aircraft.mounts
    values = load_sensor(camera).values
    focal = 0.5 * values["width_px"] / math.tan(math.radians(0.5 * values["field_of_view_deg"]))
    nose_up = trim(aircraft, 16.0, nominal_voltage(aircraft)).alpha
    down = -(math.radians(camera.attitude_deg[1]) + nose_up)
    assert 0.0 < 0.5 - focal * math.tan(down) / values["height_px"] < 1.0 / 3.0
    assert load_scenario("camera-faults").values["pitch_deg"] == camera.attitude_deg[1]


_CASES = [
    ("mass_kg = 1.3", "mass_kg = -1.3", ["line", "mass_kg", "-1.3", "0.005"]),
    ("mass_kg = 1.3", "mass_kg = 'heavy'", ["mass_kg", "wrong form", "number"]),
    ("mass_kg = 1.3", "mass_kg = nan", ["mass_kg", "is nan"]),
    ("mass_kg = 1.3", "mass_kg = inf", ["mass_kg", "is inf"]),
    ("mass_kg = 1.3", f"mass_kg = 1{'0' * 400}", ["mass_kg", "is a number of 401 digits"]),
    ("mass_kg = 1.3", f"mass_kg = 1{'0' * 5000}", ["thousands of digits"]),
    ("mass_kg = 1.3", f"mass_kg = {'[' * 5000}", ["nested too deeply"]),
    ("mass_kg = 1.3", "", ["mass_kg", "missing"]),
    ("mass_kg = 1.3", "mass = 1.3\nmass_kg = 1.3", ["line", "Unknown key 'mass'", "mass_kg"]),
    ("mass_kg = 1.3", "mass_g = 1300", ["line 14", "'mass_g'", "write mass_kg", "0.001 kg"]),
    ("mass_kg = 1.3", "mass_lb = 2.9", ["'mass_lb'", "write mass_kg", "0.453592 kg"]),
    ("mass_kg = 1.3", "mas_kg = 1.3", ["'mas_kg'", "Write mass_kg."]),
    ("mass_kg = 1.3", "mass_kg = 4.0", ["line", "mass_kg", "lift", "39.2 N", "alpha_ns2"]),
    ("inertia_kgm2 = [0.020", "inertia_kgm2 = [0.9", ["inertia_kgm2", "larger"]),
    ("[0.020, 0.020, 0.036]", "[2e5, 2e5, 3.6e5]", ["inertia_kgm2", "g cm2 is 1e-7", "reaches"]),
    ("[0.020, 0.020, 0.036]", "[2e-5, 2e-5, 3.6e-5]", ["inertia_kgm2", "kg m2"]),
    ("inertia_kgm2", "inertia_gcm2", ["write inertia_kgm2", "1e-07"]),
    ("spin = [1, -1, 1, -1]", "spin = [1, -1, 1]", ["same rotors"]),
    ("spin = [1, -1, 1, -1]", "spin = [1, 0, 1, -1]", ["spin", "must turn"]),
    ("channel = [1, 2, 3, 4]", "channel = [1, 2, 3, 2]", ["line", "Two rotors", "channel 2"]),
    ("channel = [1, 2, 3, 4]", "channel = [0, 2, 3, 4]", ["channel", "1 to 12"]),
    ("pulse_us = [1000, 2000]", "pulse_us = [2000, 1000]", ["swapped"]),
    ("alpha_ns2 = 3.41e-5", "alpha_ns2 = 0.0", ["alpha_ns2", "not possible"]),
    ("alpha_ns2 = 3.41e-5", "alpha_ns2 = 1e-6", ["mass_kg", "lift"]),
    ("_inertia_kgm2 = 1.2e-4", "_inertia_kgm2 = 1e-7", ["within 0.059 ms", "at least 1.69e-06"]),
    ("drag_moment_nms2 = [0.002", "drag_moment_nms2 = [1.0", ["turning within 0.5 ms", "most 0.5"]),
    ("depth_m = 0.005\ndamping = 0.5", "depth_m = 0.0005\ndamping = 2.0", ["ground", "1 ms"]),
    ("figure_of_merit = 0.65", "gamma_nms = 0.0", ["line", "Not valid TOML"]),
    ("figure_of_merit = 0.65", "figure_of_merit = 1.2", ["figure_of_merit", "from 0 to 1"]),
    (
        "figure_of_merit = 0.65",
        "figure_of_merit = 0.6\nk_t_m = 0.016",
        ["in two ways", "set it to 0"],
    ),
    ('"momentum"', '"perpetual"', ["torque_law", "perpetual", '"momentum" or "seed"']),
    ("[motor.dc]", "[motor.ac]", ["'ac'", "[motor]"]),
    ("[motor.dc]", "[motor.lag]", ["Unknown key 'psi_vs' in [motor.lag]"]),
    ("[propulsion]", "[propulsoin]", ["'propulsoin'", "Write propulsion."]),
    ("cells = 3", "cells = 3.5", ["cells", "whole"]),
    ("3.00, 3.21", "3.50, 3.21", ["cell_voltage", "rise"]),
    ("[battery]", "[batery]", ["batery", "battery"]),
    ("[sensors.gps]", "[sensors.gbs]", ["gbs"]),
    ("inertia_kgm2 = [0.020,", "inertia_kgm2 = [[0.020],", ["inertia", "wrong form", "3 numbers"]),
    ("[battery]", "[settings]\ngyro_tau = 0.1\n[battery]", ["Unknown key 'settings'"]),
    ("name = ", "name = = ", ["line", "Not valid TOML"]),
    ("name = ", 'base = "ar100c"\nname = ', ["line", "ar100c", "Use one of: ar100b"]),
    ("[ground]", "[payload]\nmass_kg = 1.0\nposition_m = [0.2, 0.0, 0.2]\n[ground]", ["aslant"]),
]


@pytest.mark.parametrize(("old", "new", "told"), _CASES)
def test_wrong_files_are_refused_with_place_and_remedy(
    tmp_path: Path, old: str, new: str, told: list[str]
) -> None:
    message = _refusal(tmp_path, old, new)
    assert message.startswith("mine.toml")
    for part in told:
        assert part in message


def test_a_propeller_must_take_torque(tmp_path: Path) -> None:
    text = _text("ar100b").replace("gamma_nms = 1.6e-5", "gamma_nms = 0.0")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace("figure_of_merit = 0.65", "k_t_m = 0.0"), encoding="utf-8")
    with pytest.raises(ParameterError, match=r"mine\.toml, line \d+: .*turn for nothing"):
        load_aircraft(path)


def test_rotors_that_move_air_for_nothing_are_refused(tmp_path: Path) -> None:
    """The torque of hector's seed has a figure of merit of 1.9 in hover, which no rotor has."""
    path = tmp_path / "mine.toml"
    path.write_text(_text("hector-seed").replace('"seed"', '"momentum"'), encoding="utf-8")
    with pytest.raises(ParameterError, match=r"line \d+: .* merit is 1\.87.*'k_t_m'.*\"seed\""):
        load_aircraft(path)


@pytest.mark.parametrize(
    ("change", "level", "told"),
    [
        ("0.65", Level.INFO, "AR100B: figure of merit 0.65 in hover, disc loading 28.1 N/m2."),
        ("0.84", Level.INFO, "figure of merit 0.84"),
        ("0.86", Level.WARNING, "No propeller is so good."),
    ],
)
def test_rotors_better_than_rotors_are_warned_of(
    tmp_path: Path, change: str, level: Level, told: str
) -> None:
    path = tmp_path / "mine.toml"
    text = _text("ar100b").replace("figure_of_merit = 0.65", f"figure_of_merit = {change}")
    path.write_text(text, encoding="utf-8")
    aircraft = load_aircraft(path)
    finding = rotor_finding(aircraft.name, aircraft.parameters)
    assert finding is not None
    assert finding.level is level
    assert told in finding.text
    assert bool(finding.remedy) is (level is Level.WARNING)


def test_the_seeds_law_is_told_and_an_aeroplane_has_no_disc() -> None:
    hector, plane = load_aircraft("hector-seed"), load_aircraft("sea-vixen")
    finding = rotor_finding(hector.name, hector.parameters)
    assert finding is not None
    assert "does not follow momentum theory" in finding.text
    assert rotor_finding(plane.name, plane.parameters) is None
    assert rotor_sentence("sea-vixen") == ""
    assert rotor_sentence("hector-seed") == finding.text


def test_rotors_need_propulsion_and_a_motor(tmp_path: Path) -> None:
    for gone, told in (("propulsion", r"\[propulsion\]"), ("motor.dc", "kind of motor")):
        text = re.sub(rf"\[{re.escape(gone)}\][^\[]*\n(?=\[)", "", _text("ar100b"))
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ParameterError, match=told):
            load_aircraft(path)


def test_a_file_may_say_only_what_differs_from_another(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'base = "ar100b"\nname = "Mine"\ndescription = "Lighter"\n[body]\nmass_kg = 1.1\n'
    )
    mine, other = load_aircraft(path), load_aircraft("ar100b")
    assert (mine.name, float(mine.parameters["mass"])) == ("Mine", 1.1)
    assert mine.parameters["alpha"] == other.parameters["alpha"]


def test_errors_name_the_file_in_which_the_wrong_line_stands(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    head = 'base = "ar100b"\nname = "Mine"\ndescription = "Wrong"\n[body]\n'
    path.write_text(head + "mass_kg = -1\n")
    with pytest.raises(ParameterError, match=r"mine\.toml, line 5:"):
        load_aircraft(path)
    path.write_text(head + "mass_kg = 5\ninertia_kgm2 = [0.02, 0.02, 0.03]\n[rotors]\nspin = [1]")
    with pytest.raises(ParameterError, match=r"ar100b\.toml, line \d+: position_m, spin"):
        load_aircraft(path)


def test_a_file_cannot_be_based_on_itself(tmp_path: Path) -> None:
    path = tmp_path / "ar100b.toml"
    path.write_text('base = "mine"\nname = "Mine"\ndescription = "Round"\n')
    with pytest.raises(ParameterError, match="no file 'mine'"):
        load_aircraft(path)


@pytest.mark.slow
@given(name=st.sampled_from(_PLAIN), data=st.data())
def test_no_single_number_can_be_broken_unnoticed(
    scratch: Path, name: str, data: st.DataObject
) -> None:
    """Replacing any one number of a file by none, NaN or infinity is refused, in its line."""
    text = _text(name)
    numbers = list(re.finditer(r"^(\w+) = (-?[\d.]\S*)", text, re.MULTILINE))
    found = data.draw(st.sampled_from(numbers))
    bad = data.draw(st.sampled_from(["nan", "inf", "-inf", '"x"', "true", "[1.0, 2.0]", "1e300"]))
    broken = text[: found.start(2)] + bad + text[found.end(2) :]
    path = _written(scratch, broken)
    with pytest.raises(ParameterError) as caught:
        _load_with_sensors(path)
    assert caught.value.line == text[: found.start()].count("\n") + 1
    assert found[1] in str(caught.value)


def _load_with_sensors(path: Path) -> None:
    for mount in load_aircraft(path).mounts:
        load_sensor(mount)


@pytest.mark.slow
@given(name=st.sampled_from(_PLAIN), data=st.data())
def test_no_key_can_be_misspelt_unnoticed(scratch: Path, name: str, data: st.DataObject) -> None:
    text = _text(name)
    keys = list(re.finditer(r"^(\w+) = ", text, re.MULTILINE))
    found = data.draw(st.sampled_from(keys))
    place = data.draw(st.integers(0, len(found[1]) - 1))
    wrong = found[1][:place] + "zq" + found[1][place + 1 :]
    with pytest.raises(ParameterError) as caught:
        _load_with_sensors(_written(scratch, text[: found.start(1)] + wrong + text[found.end(1) :]))
    assert wrong in str(caught.value) or found[1] in str(caught.value)


@pytest.mark.slow
@given(mass_kg=st.floats(0.2, 5.0))
def test_mass_is_taken_until_the_rotors_cannot_lift_it(scratch: Path, mass_kg: float) -> None:
    path = _written(scratch, _text("ar100b").replace("mass_kg = 1.3", f"mass_kg = {mass_kg}"))
    most_kg = static_thrust(load_aircraft("ar100b").parameters) / GRAVITY
    if mass_kg < most_kg / 1.06:
        assert float(load_aircraft(path).parameters["mass"]) == mass_kg
    elif mass_kg > most_kg / 1.04:
        with pytest.raises(ParameterError, match="lift"):
            load_aircraft(path)


def test_remedies_prefer_the_same_quantity_in_the_right_unit() -> None:
    assert remedy_for("half_angle_rad", ["half_angle_deg"]).startswith("Its unit is deg")
    assert "57.2958" in remedy_for("half_angle_rad", ["half_angle_deg"])
    assert remedy_for("something", ["a", "b"]) == "Use one of: a, b."


def test_an_unknown_aircraft_is_told_which_there_are() -> None:
    with pytest.raises(ParameterError, match="one of: ar100b"):
        load_aircraft("ar100c")


def test_a_file_that_is_no_text_or_not_there(tmp_path: Path) -> None:
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b"\xff\xd8\xff\xe0")
    for path in (picture, tmp_path / "nothing.toml", tmp_path):
        with pytest.raises(ParameterError, match=r"\.|file"):
            load_aircraft(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("period_ms = 200\ndelay_ms = 150", "period_ms = 20\ndelay_ms = 150"), "delay_ms"),
        (("traces = 4", "traces = 16"), "more than 17 rays"),
        (("least_m = 0.03", "least_m = -1.0"), "least_m"),
        (("vibration = 0.0004", "vibrations = 0.0004"), "Write vibration"),
    ],
)
def test_impossible_sensors_are_refused(
    tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    text = (FOLDER / "ar100b.toml").read_text(encoding="utf-8")
    assert change[0] in text
    file = tmp_path / "bad.toml"
    file.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(ParameterError, match=words):
        load_aircraft(file)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to be written over by every example of a property."""
    return tmp_path_factory.mktemp("aircraft") / "mine.toml"


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _reach(p: np.void) -> float:
    arms = p["rotor_position"][: int(p["rotor_count"]), :2]
    return float(np.hypot(arms[:, 0], arms[:, 1]).max())


def _text(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def _refusal(folder: Path, old: str, new: str) -> str:
    text = _text("ar100b")
    assert old in text
    path = folder / "mine.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ParameterError) as caught:
        load_aircraft(path)
    return str(caught.value)
