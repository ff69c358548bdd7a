"""Aircraft files: the shipped one, and what is said about wrong ones."""

from pathlib import Path

import pytest

from simulation.aircraft import FOLDER, aircraft_names, load_aircraft
from simulation.parameter_file import ParameterError


def test_the_shipped_aircraft_is_the_one_of_the_paper() -> None:
    assert "ar100b" in aircraft_names()
    aircraft = load_aircraft("ar100b")
    assert aircraft.name == "AR100B"
    assert aircraft.parameters["mass"] == pytest.approx(1.3)
    assert aircraft.parameters["rotor_count"] == 4
    assert aircraft.cells == 3
    assert aircraft.capacity_mah == pytest.approx(3300.0)


_CASES = [
    ("mass_kg = 1.3", "mass_kg = -1.3", ["line", "mass_kg", "-1.3", "0.005"]),
    ("mass_kg = 1.3", "mass_kg = 'heavy'", ["mass_kg", "wrong form", "number"]),
    ("mass_kg = 1.3", "mass_kg = nan", ["mass_kg", "not possible"]),
    ("mass_kg = 1.3", "", ["mass_kg", "missing"]),
    ("mass_kg = 1.3", "mass = 1.3\nmass_kg = 1.3", ["line", "Unknown key 'mass'", "mass_kg"]),
    ("inertia_kgm2 = [0.022", "inertia_kgm2 = [0.9", ["inertia_kgm2", "larger"]),
    ("spin = [1, -1, 1, -1]", "spin = [1, -1, 1]", ["same rotors"]),
    ("spin = [1, -1, 1, -1]", "spin = [1, 0, 1, -1]", ["spin", "must turn"]),
    ("pulse_us = [1000, 2000]", "pulse_us = [2000, 1000]", ["swapped"]),
    ("cells = 3", "cells = 3.5", ["cells", "whole"]),
    ("3.00, 3.21", "3.50, 3.21", ["cell_voltage", "rise"]),
    ("[battery]", "[batery]", ["batery", "battery"]),
    ("[sensors.gps]", "[sensors.gbs]", ["gbs"]),
    ("inertia_kgm2 = [0.022,", "inertia_kgm2 = [[0.022],", ["inertia", "wrong form", "3 numbers"]),
    ("[battery]", "[settings]\ngyro_tau = 0.1\n[battery]", ["Unknown key 'settings'"]),
    ("name = ", "name = = ", ["line", "Not valid TOML"]),
]


@pytest.mark.parametrize(("old", "new", "told"), _CASES)
def test_wrong_files_are_refused_with_place_and_remedy(
    tmp_path: Path, old: str, new: str, told: list[str]
) -> None:
    text = (FOLDER / "ar100b.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ParameterError) as caught:
        load_aircraft(path)
    message = str(caught.value)
    assert message.startswith("mine.toml")
    for part in told:
        assert part in message


def test_a_file_that_is_no_text_or_not_there(tmp_path: Path) -> None:
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b"\xff\xd8\xff\xe0")
    for path in (picture, tmp_path / "nothing.toml", tmp_path):
        with pytest.raises(ParameterError, match=r"\.|file"):
            load_aircraft(path)
