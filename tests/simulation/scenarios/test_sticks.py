"""Flown by hand through GCSReceiver: each stick does what a pilot expects, and only then."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.scenarios.flight import SimulatedFlight, fly
from simulation.scenarios.scenario import Scenario, ScenarioStep
from telemetry.protocol.objects.catalogue import Catalogue

_HOVERING = (
    ScenarioStep("wait", seconds=4.0),
    ScenarioStep("arm"),
    ScenarioStep("takeoff"),
    ScenarioStep("hold", seconds=4.0),
    ScenarioStep("fly", seconds=1.0, mode="Stabilized2", throttle=0.5),
)
_REVERSED = {"roll": 1, "pitch": 2, "yaw": 3, "throttle": 0}
"""Where a stick's channel stands in ManualControlSettings."""


def reversed_channel(preset: Preset, stick: str) -> Preset:
    """The preset with one channel's range turned round, as by a wrongly set transmitter."""
    settings: dict[str, Any] = dict(preset.objects["ManualControlSettings"])
    for field, value in (("ChannelMin", 2000), ("ChannelMax", 1000)):
        settings[field] = list(settings[field])
        settings[field][_REVERSED[stick]] = value
    return replace(preset, objects={**preset.objects, "ManualControlSettings": settings})


def flown(preset: Preset, catalogue: Catalogue, *steps: ScenarioStep) -> Any:
    """The simulator's output after hovering and these steps."""
    script = Scenario("test", "Test", steps=(*_HOVERING, *steps))
    flight = SimulatedFlight(AutopilotConfig(preset), catalogue, script)
    fly(flight, 60.0, None, None)
    assert not flight.has_crashed
    return flight.autopilot.simulator.output


def stick(seconds: float = 1.0, **sticks: float) -> ScenarioStep:
    return replace(ScenarioStep("fly", seconds, mode="Stabilized2", throttle=0.5), **sticks)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "axis"), [("roll", 0), ("pitch", 1)])
def test_roll_right_and_pitch_back_tilt_within_a_second_and_return(
    preset: Preset, catalogue: Catalogue, name: str, axis: int
) -> None:
    """Positive roll is right, positive pitch (stick back) is nose up."""
    tilted = flown(preset, catalogue, stick(**{name: 0.5}))["attitude_deg"]
    assert tilted[axis] == pytest.approx(17.5, abs=3.0)
    assert abs(tilted[1 - axis]) < 3.0
    level = flown(preset, catalogue, stick(**{name: 0.5}), stick(2.0))["attitude_deg"]
    assert np.abs(level[:2]).max() < 2.0
    wrong = reversed_channel(preset, name)
    assert flown(wrong, catalogue, stick(**{name: 0.5}))["attitude_deg"][axis] < -10.0


@pytest.mark.slow
def test_yaw_right_turns_the_nose_clockwise(preset: Preset, catalogue: Catalogue) -> None:
    assert flown(preset, catalogue, stick(yaw=0.3))["attitude_deg"][2] > 15.0
    wrong = reversed_channel(preset, "yaw")
    assert flown(wrong, catalogue, stick(yaw=0.3))["attitude_deg"][2] < -15.0


@pytest.mark.slow
def test_throttle_up_climbs_and_throttle_down_sinks(preset: Preset, catalogue: Catalogue) -> None:
    assert flown(preset, catalogue, stick(throttle=0.9))["true_velocity"][2] < -0.5
    assert flown(preset, catalogue, stick(throttle=0.1))["true_velocity"][2] > 0.3
