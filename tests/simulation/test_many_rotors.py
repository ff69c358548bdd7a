"""Sixteen tilted rotors on eight outputs: read, allocated and flown."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulation.aircraft.aircraft import AircraftParameters, load_aircraft
from simulation.aircraft.performance import full_voltage, hover, motor_lag_s, static_thrust
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.environment.earth import GRAVITY
from simulation.files.parameter_file import ParameterError
from simulation.records.interface import MIXER_MOTOR
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.flights import take_off, track

LEAN_DEG = 12.0
_OUTPUTS = 8


def sixteen(folder: Path, **changes: object) -> Path:
    """A file of sixteen of the AR100B's rotors around it, neighbours on one output, every pair
    leaning against the way its reaction turns the body."""
    angles = [math.pi * (k + 0.5) / 8.0 for k in range(16)]
    spins = [1 if k // 2 % 2 else -1 for k in range(16)]
    values: dict[str, object] = {
        "position_m": [[0.7 * math.cos(a), 0.7 * math.sin(a), -0.05] for a in angles],
        "spin": spins,
        "channel": [k // 2 + 1 for k in range(16)],
        "tilt_deg": [
            [spin * LEAN_DEG * math.sin(a), -spin * LEAN_DEG * math.cos(a)]
            for a, spin in zip(angles, spins, strict=True)
        ],
    } | changes
    lines = [f"{name} = {value}" for name, value in values.items()]
    path = folder / "sixteen.toml"
    path.write_text(
        'base = "ar100b"\nname = "Sixteen"\ndescription = "Sixteen rotors"\n'
        "[body]\nmass_kg = 5.0\ninertia_kgm2 = [0.6, 0.6, 1.1]\n"
        "[battery]\ncapacity_mah = 13000\ncell_resistance_ohm = 0.002\n"
        "cell_rc_resistance_ohm = 0.001\n[rotors]\n" + "\n".join(lines) + "\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def aircraft(tmp_path: Path) -> AircraftParameters:
    return load_aircraft(sixteen(tmp_path))


def flown(aircraft: AircraftParameters, catalogue: Catalogue) -> Simulator:
    """Through the inverted propulsion model, with the gains of the rule in Authority."""
    preset = replace(load_preset("ar100b"), inverts_propulsion=True)
    simulator = factory_simulator(preset, catalogue, aircraft=aircraft)
    settings, p = simulator.settings, aircraft.parameters
    settings["mixer_type"][:_OUTPUTS] = MIXER_MOTOR
    for name in ("channel_min", "channel_neutral", "channel_max"):
        settings[name][:_OUTPUTS] = settings[name][0]
    point = hover(p)
    lag = motor_lag_s(p, point.speed_radps, point.voltage_v)
    reach = np.abs(p["rotor_position"][:, :2]).sum(axis=0)[::-1] * 0.5
    full = float(settings["propulsion"]["full_thrust"])
    for axis in range(2):
        per_actuator = math.degrees(reach[axis] * full / float(p["inertia"][axis]))
        settings["rate_pid"][axis][:3] = 2.5 / lag / per_actuator * np.array([1.0, 1.67, lag / 2])
    settings["rate_pid"][2][:3] = (0.002, 0.0016, 0.0)
    return simulator


def test_the_axes_are_the_files_and_lean_costs_lift(aircraft: AircraftParameters) -> None:
    p = aircraft.parameters
    assert p["rotor_count"] == 16
    assert p["tilted"] == 1
    axes = p["rotor_axis"]
    assert np.linalg.norm(axes, axis=1) == pytest.approx(np.ones(16))
    first = np.tan(
        np.radians([-LEAN_DEG * math.sin(math.pi / 16), LEAN_DEG * math.cos(math.pi / 16)])
    )
    assert axes[0] == pytest.approx(np.array([*first, -1.0]) / math.hypot(*first, 1.0))
    point = hover(p)
    lifted = -(axes[:, 2] * point.thrust_n).sum()
    assert lifted == pytest.approx(float(p["mass"]) * GRAVITY)
    assert static_thrust(p) == pytest.approx(point.thrust_to_weight * lifted)
    assert point.voltage_v < full_voltage(p)


@pytest.mark.slow
def test_rotors_on_one_output_share_alike(
    aircraft: AircraftParameters, catalogue: Catalogue
) -> None:
    """And what is allocated is what comes out: shares give the moment asked for and no other."""
    settings, p = flown(aircraft, catalogue).settings, aircraft.parameters
    shares = settings["propulsion"]["allocation"]
    assert shares[0::2] == pytest.approx(shares[1::2])
    torque = hover(p).torque_nm / hover(p).thrust_n
    moments = np.cross(p["rotor_position"], p["rotor_axis"])
    moments += p["rotor_spin"][:, None] * torque * p["rotor_axis"]
    for axis in range(3):
        made = moments.T @ shares[:, axis]
        assert made[axis] > 0.0
        assert np.delete(made, axis) == pytest.approx([0.0, 0.0], abs=1e-6 * made[axis])


@pytest.mark.slow
def test_it_flies(aircraft: AircraftParameters, catalogue: Catalogue) -> None:
    simulator = flown(aircraft, catalogue)
    take_off(simulator)
    simulator.set_wind(0.0, 4.0)
    simulator.advance(10_000)
    place = track(simulator, 5.0, "true_position")
    assert not simulator.output["crashed"]
    assert np.std(place, axis=0).max() < 0.3
    assert place[:, 2].mean() == pytest.approx(-10.0, abs=1.5)
    speeds = simulator.output["rotor_speed"]
    assert speeds == pytest.approx(np.full(16, hover(aircraft.parameters).speed_radps), rel=0.1)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"tilt_deg": [[0, 0]] * 15}, r"16 rotors, but 'tilt_deg' has 15 entries.*\[0, 0\]"),
        ({"tilt_deg": [[0, 61]] * 16}, "tilt_deg.*61, which is not possible"),
        ({"spin": [1] * 15}, "same rotors.*1 to 16 entries"),
    ],
)
def test_impossible_rotors_are_refused(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(ParameterError, match=told):
        load_aircraft(sixteen(tmp_path, **changes))
