"""Identified parameters in an aircraft's record and in its file."""

from pathlib import Path

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.files.parameter_file import ParameterError
from simulation.identification.aircraft_file import save_aircraft
from simulation.identification.parameters import PARAMETERS, changed
from simulation.physics.propulsion import static_torque, thrust

_MULTIROTORS = ("ar100b", "crazyflie", "hector", "ar200")


def _values(name: str) -> dict[str, float]:
    p = load_aircraft(name).parameters
    return {q.name: 1.1 * q.nominal(p) for q in PARAMETERS if q.scales} | {"dead_time_ms": 9.0}


@pytest.mark.parametrize("name", _MULTIROTORS)
def test_a_saved_file_is_the_aircraft_that_was_found(name: str, tmp_path: Path) -> None:
    save_aircraft(tmp_path / "found.toml", name, _values(name), ["Of a flight\nin two lines"])
    saved = load_aircraft(tmp_path / "found.toml").parameters
    expected = changed(load_aircraft(name), _values(name)).parameters
    for member in saved.dtype.names or ():
        assert np.allclose(saved[member], expected[member], rtol=1e-9), member


def test_a_file_of_the_user_is_written_whole(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "ar100b"\nname = "Mine"\n\n[body]\nmass_kg = 1.4\n')
    save_aircraft(tmp_path / "found.toml", str(mine), {"drag_per_mass": 1.2}, [])
    saved = load_aircraft(tmp_path / "found.toml")
    assert (saved.name, float(saved.parameters["mass"])) == ("Mine", 1.4)
    drag = load_aircraft("ar100b").parameters["drag_force"][0]
    assert saved.parameters["drag_force"][0] == pytest.approx(1.2 * drag)


def test_a_dead_time_told_below_nothing_is_none(tmp_path: Path) -> None:
    """A queue of steps that is read at -2 gives what was asked for 62 ms ago."""
    told = {"dead_time_ms": -2.3}
    assert changed(load_aircraft("ar100b"), told).parameters["dead_steps"] == 0
    save_aircraft(tmp_path / "found.toml", "ar100b", told, [])
    assert load_aircraft(tmp_path / "found.toml").parameters["dead_steps"] == 0


def test_values_that_make_no_aircraft_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(ParameterError):
        save_aircraft(tmp_path / "found.toml", "ar100b", {"torque_per_inertia_yaw": 0.2}, [])
    assert not (tmp_path / "found.toml").exists()


def test_more_thrust_takes_no_more_torque() -> None:
    """So that motors turn as fast as before, and thrust over mass is what the factor says."""
    p = load_aircraft("ar100b").parameters
    more = changed(load_aircraft("ar100b"), {"thrust_per_mass": 1.2}).parameters
    force, more_force = thrust(p, 300.0, 0.0, 1.0), thrust(more, 300.0, 0.0, 1.0)
    assert more_force == pytest.approx(1.2 * force)
    assert static_torque(more, more_force, 300.0) == pytest.approx(static_torque(p, force, 300.0))
