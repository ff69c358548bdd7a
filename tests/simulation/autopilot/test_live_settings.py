"""What a station changes in flight acts at once: gains that oscillate, mixers that crash."""

from typing import Any

import numpy as np
import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.sticks import Sticks
from tests.simulation.bench import Bench

HOVERING = Sticks(throttle=0.5, flight_mode_position=1, arm=True)


@pytest.fixture
def bench(catalogue: Catalogue, preset: Preset) -> Bench:
    """In a hover, level by attitude and height by throttle stick."""
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.sticks = Sticks(throttle=-1.0)
    bench.run(10.0)
    bench.sticks = Sticks(throttle=-1.0, flight_mode_position=5, arm=True)
    bench.run(3.0)
    bench.sticks = Sticks(throttle=0.5, flight_mode_position=5, arm=True)
    bench.run(11.0)
    bench.sticks = HOVERING
    bench.run(3.0)
    return bench


def roll_rates(bench: Bench, seconds: float = 4.0) -> float:
    """Deviation of the true roll rate in deg/s over that time."""
    rates = []
    for _ in range(round(seconds * 50)):
        bench.run(0.02)
        rates.append(float(bench.autopilot.simulator.output["true_rates"][0]))
    return float(np.std(rates))


def has_crashed(bench: Bench) -> bool:
    return bool(bench.autopilot.simulator.output["crashed"])


def roll_gains(bench: Bench, factor: float) -> None:
    gains: Any = [0.003 * factor, 0.005, 0.00012, 0.3]
    for bank in (1, 2, 3):
        bench.write(f"StabilizationSettingsBank{bank}", {"RollRatePID": gains})


@pytest.mark.slow
def test_detuned_it_oscillates_and_tuned_back_it_is_calm(bench: Bench) -> None:
    calm = roll_rates(bench)
    roll_gains(bench, 30.0)
    bench.run(1.0)
    assert roll_rates(bench) > 20.0 * calm
    roll_gains(bench, 1.0)
    bench.run(11.0)  # it sinks back to the height it holds
    assert roll_rates(bench) < 4.0 * calm
    assert not has_crashed(bench)


@pytest.mark.slow
def test_a_mixer_flipped_on_one_axis_crashes(bench: Bench) -> None:
    height = -float(bench.autopilot.simulator.output["true_position"][2])
    assert height > 1.5
    for motor in (1, 2, 3, 4):
        vector = list(bench.value("MixerSettings", f"Mixer{motor}Vector"))
        bench.write(
            "MixerSettings", {f"Mixer{motor}Vector": [*vector[:2], -vector[2], *vector[3:]]}
        )
    bench.run(5.0)
    assert has_crashed(bench)


@pytest.mark.slow
def test_written_as_it_was_the_mixer_flies_on(bench: Bench) -> None:
    for motor in (1, 2, 3, 4):
        vector = list(bench.value("MixerSettings", f"Mixer{motor}Vector"))
        bench.write("MixerSettings", {f"Mixer{motor}Vector": vector})
    bench.run(5.0)
    assert not has_crashed(bench)


@pytest.mark.slow
def test_outputs_limited_in_flight_bring_it_down(bench: Bench) -> None:
    start = float(bench.autopilot.simulator.output["true_position"][2])
    bench.write("ActuatorSettings", {"ChannelMax": [1200] * 4 + [1000] * 8})
    bench.run(2.0)
    assert float(bench.autopilot.simulator.output["true_position"][2]) > start + 0.5


@pytest.mark.slow
def test_another_bank_of_the_switch_position_acts(bench: Bench) -> None:
    calm = roll_rates(bench)
    gains = {"RollRatePID": [0.09, 0.005, 0.00012, 0.3]}
    bench.write("StabilizationSettingsBank3", gains)
    bench.run(1.0)
    assert roll_rates(bench) < 2.0 * calm
    banks = ["Bank1", "Bank3", "Bank1", "Bank1", "Bank1", "Bank1"]
    bench.write("StabilizationSettings", {"FlightModeMap": banks})
    bench.run(1.0)
    assert roll_rates(bench) > 20.0 * calm
