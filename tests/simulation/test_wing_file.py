"""What is said about wrong aeroplane files."""

from pathlib import Path

import numpy as np
import pytest

from simulation.aircraft.aircraft import FOLDER, load_aircraft
from simulation.files.parameter_file import ParameterError

TEXT = (FOLDER / "sea-vixen.toml").read_text(encoding="utf-8")


def test_the_shipped_one_is_that_of_the_thesis() -> None:
    """Seed 004, 4.2.1: span, cells, capacity, mass with logger, 15 A controller."""
    aircraft = load_aircraft("sea-vixen")
    p = aircraft.parameters
    assert p["mass"] == pytest.approx(0.8124)
    assert p["wing_span"] == pytest.approx(0.835)
    points = p["point"][: int(p["point_count"])]
    assert np.ptp(points[:, 1]) == pytest.approx(0.835)
    assert np.ptp(points[:, 0]) == pytest.approx(0.89)
    assert (aircraft.cells, round(aircraft.capacity_mah)) == (3, 1500)
    assert p["current_limit"] == pytest.approx(15.0)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("span_m = 0.835", "span_m = -0.835", "span_m", "not possible"),
        ("area_m2 = 0.1738", "area_m2 = nan", "area_m2", "not possible"),
        ("oswald = 0.75", "oswold = 0.75", "oswold", "Write oswald"),
        ("[propeller]", "[propellor]", "propellor", "propeller"),
        ("[side_force]", "[side_farce]", "side_farce", "side_force"),
        ("inertia_xz_kgm2 = 0.0005", "inertia_xz_kgm2 = 0.5", "inertia_xz", "square"),
        ("spin = 1 ", "spin = 0 ", "spin", "must turn"),
        ("lag_s = 0.03", "lag_ms = 30", "lag_ms", "1 ms is 0.001 s"),
        ("channel = 3\npulse_us = [1000, 2000]", "channel = 3\npulse_us = [2, 1]", "", "swapped"),
        ("_inertia_kgm2 = 8e-6", "_inertia_kgm2 = 3e-7", "_inertia", "at least 3.54e-07"),
        ("roll_rate = -0.35", "roll_rate = -9.0", "roll_rate = -9", "of at least -4.42"),
        ("roll_rate = -0.35", "roll_rate = 0.35", "roll_rate = 0.35", "resist rolling"),
        ("elevator = -0.6", "elevator = 0.6", "elevator = 0.6", "arm of a tail"),
        ("tail_share = 0.3", "tail_share = 1.3", "tail_share", "0 to 1"),
        ("height_m = 1.8", "height_m = 180", "height_m = 180", "0.5 to 3"),
    ],
)
def test_wrong_values_are_refused_with_line_and_remedy(
    tmp_path: Path, old: str, new: str, line: str, said: str
) -> None:
    assert old in TEXT
    changed = TEXT.replace(old, new, 1)
    path = tmp_path / "wrong.toml"
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(ParameterError, match=said) as caught:
        load_aircraft(path)
    if line:
        assert caught.value.line is not None
        assert line in changed.splitlines()[caught.value.line - 1]


def test_a_wing_needs_everything_else_of_an_aeroplane(tmp_path: Path) -> None:
    start, end = TEXT.index("[yawing]"), TEXT.index("[surfaces.elevator]")
    path = tmp_path / "wrong.toml"
    path.write_text(TEXT[:start] + TEXT[end:], encoding="utf-8")
    with pytest.raises(ParameterError, match=r"\[yawing\] is missing"):
        load_aircraft(path)


def test_rotors_and_a_wing_do_not_go_together(tmp_path: Path) -> None:
    rotors = (FOLDER / "ar100b.toml").read_text(encoding="utf-8")
    start, end = rotors.index("[rotors]"), rotors.index("[motor.dc]")
    path = tmp_path / "wrong.toml"
    path.write_text(TEXT + rotors[start:end], encoding="utf-8")
    with pytest.raises(ParameterError, match="not simulated"):
        load_aircraft(path)


def test_a_propeller_for_a_wing_needs_the_wing(tmp_path: Path) -> None:
    rotors = (FOLDER / "ar100b.toml").read_text(encoding="utf-8")
    start, end = TEXT.index("[propeller]"), TEXT.index("# Thrown like")
    path = tmp_path / "wrong.toml"
    path.write_text(rotors + TEXT[start:end], encoding="utf-8")
    with pytest.raises(ParameterError, match=r"no \[wing\]"):
        load_aircraft(path)


def test_an_aeroplane_has_five_servos_and_no_sixth(tmp_path: Path) -> None:
    """Three are in the file; of two elevons each is one."""
    elevons = [
        f"[surfaces.{side}_elevon]\nchannel = {channel}\npulse_us = [1000, 2000]\n"
        "deflection_deg = [-20, 20]\n"
        for side, channel in (("left", 6), ("right", 7))
    ]
    rudder = elevons[0].replace("left_elevon", "rudder").replace("= 6", "= 8")
    place = TEXT.index("[surfaces.servo]")
    path = tmp_path / "many.toml"
    path.write_text(TEXT[:place] + "".join(elevons) + TEXT[place:], encoding="utf-8")
    p = load_aircraft(path).parameters
    assert p["servo_count"] == 5
    assert p["servo_channel"].tolist() == [1, 2, 3, 5, 6]
    assert p["servo_share"][3].tolist() == [0.5, 1.0, 0.0, 0.0]
    path.write_text(TEXT[:place] + "".join([*elevons, rudder]) + TEXT[place:], encoding="utf-8")
    with pytest.raises(ParameterError, match="at most 5 servos"):
        load_aircraft(path)
