"""Airframe presets: the same controller with other numbers, fitted to each aircraft."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import authority, hover
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.kernel_settings import KernelSettings
from simulation.autopilot.preset import PresetError, load_preset
from simulation.records.interface import MIX_PITCH, MIX_ROLL, MIX_YAW, SETTINGS
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.simulation.multirotors import MULTIROTORS


def _settings(name: str) -> Any:
    settings = np.zeros(1, SETTINGS)[0]
    KernelSettings(SimulatedBoard(load_catalogue(), load_preset(name)), settings).update()
    return settings


@pytest.mark.parametrize("name", MULTIROTORS)
@pytest.mark.slow
def test_gains_scale_with_what_the_actuators_can_do(name: str) -> None:
    """The rule in `simulation.aircraft.performance.Authority`, within a fifth."""
    p, settings = load_aircraft(load_preset(name).aircraft).parameters, _settings(name)
    can = authority(p, settings)
    gains = settings["rate_pid"]
    for axis, wanted in enumerate((2.5, 2.5, 0.35)):
        bandwidth = gains[axis][0] * can.acceleration_dps2[axis] * can.motor_lag_s
        assert bandwidth == pytest.approx(wanted, rel=0.2)
    for axis in range(2):
        assert gains[axis][2] / gains[axis][0] == pytest.approx(can.motor_lag_s / 2, rel=0.2)


@pytest.mark.parametrize("name", MULTIROTORS)
def test_neutral_thrust_hovers(name: str) -> None:
    p, settings = load_aircraft(load_preset(name).aircraft).parameters, _settings(name)
    pulse = p["speed_controller_us"] @ [1.0 - hover(p).duty, hover(p).duty]
    neutral, most = settings["channel_neutral"][0], settings["channel_max"][0]
    wanted = (pulse - neutral) / (most - neutral)
    for limits in (settings["vertical_thrust"], settings["altitude_hold_thrust"]):
        assert limits[1] == pytest.approx(wanted, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("name", MULTIROTORS)
def test_the_mixer_is_the_firmwares_and_fits_the_rotors(name: str) -> None:
    """Each rotor's share of roll, pitch and yaw has the sign of its place and its spin."""
    p, settings = load_aircraft(load_preset(name).aircraft).parameters, _settings(name)
    for i in range(int(p["rotor_count"])):
        row = settings["mixer_vector"][p["rotor_channel"][i]]
        x, y, _ = p["rotor_position"][i]
        assert np.sign(row[MIX_ROLL]) == -np.sign(y)
        assert np.sign(row[MIX_PITCH]) == np.sign(x)
        assert np.sign(row[MIX_YAW]) == -p["rotor_spin"][i]
    assert np.count_nonzero(settings["mixer_type"]) == p["rotor_count"]


def test_hexacopters_have_the_vectors_of_librepilots_wizard() -> None:
    """HexaX at 100 %: clockwise from the front right, halves rounded away from zero."""
    expected = [
        (-64, 127, -127),
        (-127, 0, 127),
        (-64, -127, -127),
        (64, -127, 127),
        (127, 0, -127),
        (64, 127, 127),
    ]
    for name in ("ar100x6", "ar200", "ar200-payload"):
        preset = load_preset(name)
        assert preset.objects["SystemSettings"]["AirframeType"] == "HexaX"
        mixer = preset.objects["MixerSettings"]
        vectors = [mixer[f"Mixer{i}Vector"] for i in range(1, 7)]
        assert vectors == [[127, 0, *vector] for vector in expected]


def test_a_preset_may_say_only_what_differs_from_another() -> None:
    base, mine = load_preset("ar200"), load_preset("ar200-payload")
    assert mine.objects["MixerSettings"] == base.objects["MixerSettings"]
    assert mine.objects["AltitudeHoldSettings"] != base.objects["AltitudeHoldSettings"]
    assert mine.objects["StabilizationSettingsBank3"] == mine.objects["StabilizationSettingsBank1"]
    assert mine.telemetry_period_ms == base.telemetry_period_ms


def test_a_wrong_base_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    content = {"name": "mine", "title": "Mine", "aircraft": "ar100b", "objects": {}}
    path.write_text(json.dumps({**content, "base": "nothing"}))
    with pytest.raises(PresetError, match="'nothing'"):
        load_preset(str(path))
    path.write_text(json.dumps({**content, "base": "mine.json"}))
    with pytest.raises(PresetError, match="based on"):
        load_preset(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hector", "crazyflie"])
def test_the_other_multirotors_hold_against_wind_too(name: str, catalogue: Catalogue) -> None:
    """Those that no shipped scenario takes off, holds and lands with.

    With seeds 1 to 3 and 5 real firmware lands hector with 0.3 to 0.8 m/s (next, in lockstep).
    With seeds 4 and 6 it crashes, and so does the simulated board: hector's GPS wanders by 5 m in
    height, which INS13 believes, and at 2.5 m above the ground there is less room than that.
    """
    scenario = load_scenario("hold-in-wind")
    report = run_scenario(Experiment(scenario, 1, name, catalogue, without_link=True))
    assert report.passed, report.failures
