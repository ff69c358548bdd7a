"""Motors driven through the inverted propulsion model."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulation.aircraft.propulsion_knowledge import know_propulsion
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset, PresetError, load_preset
from simulation.records.interface import AXIS_RATE
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.flights import parked, take_off, track


def hovering(inverted: bool, charge: float = 1.0, sign: float = 1.0) -> Simulator:
    """Ten metres up in a wind of 5 m/s."""
    simulator = parked()
    if inverted:
        know_propulsion(simulator.settings, simulator.aircraft.parameters)
        simulator.settings["propulsion"]["allocation"][:, 0] *= sign
    simulator.set_charge(charge)
    take_off(simulator)
    simulator.set_wind(0.0, 5.0)
    simulator.advance(15_000)
    return simulator


@pytest.mark.slow
def test_it_holds_its_place_like_the_mixer_does() -> None:
    for inverted in (False, True):
        simulator = hovering(inverted)
        place = track(simulator, 10.0, "true_position")
        assert np.std(place[:, :2], axis=0).max() < 0.5, inverted
        assert not simulator.output["crashed"]


@pytest.mark.slow
def test_a_flipped_sign_of_the_allocation_crashes() -> None:
    assert hovering(True, sign=-1.0).output["crashed"]


@pytest.mark.slow
def test_the_thrust_it_asks_for_does_not_depend_on_the_battery() -> None:
    thrust = {
        (inverted, charge): float(hovering(inverted, charge).output["actuator_desired"][3])
        for inverted in (False, True)
        for charge in (1.0, 0.4)
    }
    assert thrust[True, 0.4] == pytest.approx(thrust[True, 1.0], rel=0.02)
    assert thrust[False, 0.4] > 1.08 * thrust[False, 1.0]


def test_the_thrust_is_the_one_asked_for() -> None:
    """Neutral thrust carries the weight, whatever the settings call neutral."""
    simulator = hovering(True)
    simulator.set_wind(0.0, 0.0)
    simulator.advance(15_000)
    neutral = float(simulator.settings["vertical_thrust"][1])
    assert simulator.output["actuator_desired"][3] == pytest.approx(neutral, rel=0.04)


@pytest.mark.slow
def test_each_axis_turns_the_right_way() -> None:
    for axis in range(3):
        simulator = hovering(True)
        simulator.command["horizontal_mode"] = 0
        simulator.command["axis_mode"][:] = AXIS_RATE
        simulator.command["axis_setpoint"][axis] = 40.0
        simulator.advance(500)
        assert simulator.output["true_rates"][axis] == pytest.approx(40.0, abs=12.0)


def test_a_preset_chooses_it(catalogue: Catalogue, preset: Preset) -> None:
    for inverts in (False, True):
        config = AutopilotConfig(replace(preset, inverts_propulsion=inverts))
        settings = Autopilot(config, catalogue).simulator.settings
        assert bool(settings["propulsion"]["known"]) is inverts


def test_an_unknown_choice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    content = {"name": "x", "title": "x", "aircraft": "ar100b", "objects": {}}
    file.write_text(json.dumps({**content, "motor_control": "magic"}))
    with pytest.raises(PresetError, match="magic"):
        load_preset(str(file))
