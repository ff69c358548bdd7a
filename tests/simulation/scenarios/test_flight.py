"""Whole flights by a pilot who only has UAVTalk: what must go well, and what must not."""

from dataclasses import replace
from typing import Any

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.desired_paths import Plans
from simulation.autopilot.preset import Preset
from simulation.scenarios.flight import SimulatedFlight, fly
from simulation.scenarios.flight_measures import MEASURES
from simulation.scenarios.scenario import Measure, Scenario, ScenarioStep
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import Catalogue

TAKE_OFF = (ScenarioStep("wait", seconds=4.0), ScenarioStep("arm"), ScenarioStep("takeoff"))


def changed(preset: Preset, **objects: dict[str, Any]) -> Preset:
    """The preset with some values replaced."""
    merged = {name: {**preset.objects.get(name, {}), **new} for name, new in objects.items()}
    return replace(preset, objects={**preset.objects, **merged})


def flown(
    preset: Preset, catalogue: Catalogue, *steps: ScenarioStep, seconds: float = 120.0
) -> SimulatedFlight:
    measures = tuple(Measure(name, name) for name in MEASURES)
    script = Scenario("test", "Test", steps=steps, measures=measures)
    flight = SimulatedFlight(AutopilotConfig(preset), catalogue, script)
    fly(flight, seconds, None, None)
    return flight


@pytest.mark.slow
def test_without_a_failsafe_mode_silence_does_not_land_it(
    preset: Preset, catalogue: Catalogue
) -> None:
    stubborn = changed(preset, ManualControlSettings={"FailsafeFlightModeSwitchPosition": -1})
    silence = (ScenarioStep("hold", seconds=3.0), ScenarioStep("silence", timeout_s=30.0))
    flight = flown(stubborn, catalogue, *TAKE_OFF, *silence)
    assert flight.script_failure() == "Step 5: silence took too long."
    assert flight.autopilot.arming.is_armed


@pytest.mark.slow
def test_a_mixer_with_a_flipped_sign_crashes(preset: Preset, catalogue: Catalogue) -> None:
    flipped = changed(
        preset,
        MixerSettings={
            "Mixer1Vector": [127, 0, -64, 64, -64],
            "Mixer2Vector": [127, 0, 64, 64, 64],
            "Mixer3Vector": [127, 0, 64, -64, -64],
            "Mixer4Vector": [127, 0, -64, -64, 64],
        },
    )
    flight = flown(flipped, catalogue, *TAKE_OFF, ScenarioStep("hold", seconds=5.0), seconds=40.0)
    assert flight.has_crashed
    sound = flown(preset, catalogue, *TAKE_OFF, ScenarioStep("hold", seconds=5.0), seconds=40.0)
    assert not sound.has_crashed
    assert not sound.script_failure()


@pytest.mark.slow
def test_a_return_that_only_holds_does_not_pass(
    preset: Preset, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plans, "_return_to_base", Plans.hold)
    flight = SimulatedFlight(AutopilotConfig(preset), catalogue, load_scenario("out-and-back"))
    fly(flight, 200.0, None, None)
    assert flight.metrics()["home_m"] > 10.0


def roll_after(preset: Preset, catalogue: Catalogue, seconds: float) -> float:
    """The true roll rate some time after the roll stick went over, deg/s."""
    fly_right = ScenarioStep("fly", seconds=seconds, mode="Stabilized2", throttle=0.5, roll=0.6)
    flight = flown(preset, catalogue, *TAKE_OFF, ScenarioStep("hold", seconds=4.0), fly_right)
    return float(flight.autopilot.simulator.output["true_rates"][0])


@pytest.mark.slow
def test_halving_a_gain_changes_how_it_flies(preset: Preset, catalogue: Catalogue) -> None:
    bank = preset.objects["StabilizationSettingsBank1"]
    gentle = changed(
        preset,
        StabilizationSettingsBank1={"RollPI": [bank["RollPI"][0] / 2.0, 0.0, 50.0]},
    )
    assert roll_after(gentle, catalogue, 0.2) < 0.8 * roll_after(preset, catalogue, 0.2)


@pytest.mark.slow
def test_without_rate_gains_sticks_and_wind_do_as_they_like(
    preset: Preset, catalogue: Catalogue
) -> None:
    gains = {"RollRatePID": [0, 0, 0, 0], "PitchRatePID": [0, 0, 0, 0]}
    limp = changed(preset, StabilizationSettingsBank1=gains)
    assert abs(roll_after(limp, catalogue, 0.2)) < 2.0 < roll_after(preset, catalogue, 0.2)
    steps = (
        *TAKE_OFF,
        ScenarioStep("set", values={"wind_east_mps": 3.0}),
        ScenarioStep("hold", seconds=15.0),
    )
    assert flown(limp, catalogue, *steps).metrics()["hold_rms_m"] > 4.0
    assert flown(preset, catalogue, *steps).metrics()["hold_rms_m"] < 1.5


@pytest.mark.slow
def test_hand_flown_arming_climb_and_sink(preset: Preset, catalogue: Catalogue) -> None:
    flight = flown(
        preset,
        catalogue,
        ScenarioStep("wait", seconds=4.0),
        ScenarioStep("arm"),
        ScenarioStep("fly", seconds=6.0, mode="Stabilized2", throttle=0.9),
        ScenarioStep("fly", seconds=5.0, mode="Stabilized2", throttle=0.5, roll=0.4),
        ScenarioStep("fly", seconds=8.0, mode="Stabilized2", throttle=0.5),
    )
    assert flight.metrics()["max_altitude_m"] > 5.0
    assert flight.track["true_position"][-1, 1] > 3.0
    assert not flight.has_crashed


def digest(preset: Preset, catalogue: Catalogue, seed: int) -> str:
    scenario = load_scenario("takeoff-hold-land")
    flight = SimulatedFlight(AutopilotConfig(preset, seed), catalogue, scenario)
    fly(flight, 20.0, None, None)
    return flight.log_hash


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(preset: Preset, catalogue: Catalogue) -> None:
    first = digest(preset, catalogue, seed=7)
    assert digest(preset, catalogue, seed=7) == first
    assert digest(preset, catalogue, seed=8) != first
