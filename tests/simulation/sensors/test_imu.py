"""Gyro and accelerometer beyond bias and white noise: crooked axes, 1/f floor, and what rotors
shake into them."""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest

from simulation.records.flight import ROTOR, WHITE
from simulation.records.sensor_table import ACCEL, GYRO, IMU_KEYS
from simulation.scenarios.track import OutputTrack
from simulation.sensors.vibration import sine
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked

Array = npt.NDArray[np.float64]

FLOOR = math.sqrt(2.0 * math.log(2.0) / math.pi)
"""Allan deviation of 1/f noise per bias instability (IEEE 952-1997, annex C)."""
SAMPLE_S = 0.002


def exact(values: Mapping[str, object], seed: int = 1, period: int = 2) -> Simulator:
    """An aircraft held still, whose gyro and accelerometer have these errors and no others."""
    simulator = parked(seed)
    parameters = simulator.record["parameters"]
    parameters["sensor_error"][:2] = (0.0, 0.0, 1.0, 0.0, 1e9, 1e-9)
    parameters["sensor_period"][:2] = period
    parameters["imu_position"] = 0.0
    for key in (*IMU_KEYS, "g_sensitivity"):
        parameters[key] = 0.0
    for key, value in values.items():
        parameters[key] = value
    simulator.command["external"] = 1
    simulator.take_in_hands()
    return simulator


def record(simulator: Simulator, seconds: float, every: int) -> OutputTrack:
    """Rows of gyro and accelerometer."""
    track = OutputTrack(("gyro", "accel"))
    simulator.watch(track.add, every)
    simulator.advance(round(seconds * 1000))
    simulator.watch(None)
    return track


def allan(values: Array, size: int) -> float:
    """Allan deviation of averages of `size` samples, over all columns."""
    means = values[: len(values) // size * size].reshape(-1, size, values.shape[1]).mean(axis=1)
    return math.sqrt(0.5 * float(np.mean(np.square(np.diff(means, axis=0)))))


@pytest.mark.slow
def test_allan_deviations_are_those_of_theory() -> None:
    """White noise of density N falls as N / sqrt(tau); a 1/f floor stays at 0.664 B from a second
    to minutes, whatever the averaging time. Each is the other's negative control."""
    density, instability, period = 0.01, 0.02, 20
    simulator = exact({"flicker": (0.0, instability)}, period=period)
    simulator.record["parameters"]["sensor_error"][GYRO][WHITE] = density
    track = record(simulator, 2400.0, period)
    white, floor = np.array(track["gyro"]), np.array(track["accel"])
    dt = period * 1e-3
    for size in (1, 10, 100, 1000):
        assert allan(white, size) == pytest.approx(density / math.sqrt(size * dt), rel=0.15)
    flat = [allan(floor, round(tau / dt)) for tau in (2.0, 6.0, 20.0, 60.0)]
    assert np.array(flat) == pytest.approx(FLOOR * instability, rel=0.25)
    assert allan(white, 3000) < 0.25 * allan(white, 100)


def spectrum(simulator: Simulator, speed: float, seconds: float = 4.0) -> tuple[Array, Array]:
    """Frequencies in Hz and amplitudes in m/s2 of the accelerometer's x while all rotors are kept
    at `speed`, rad/s."""
    rows = []
    motion = simulator.record["state"]["motion"]
    simulator.advance(100)
    for _ in range(round(seconds / SAMPLE_S)):
        motion[ROTOR : ROTOR + 4] = speed
        simulator.advance(2)
        rows.append(float(simulator.output["accel"][0]))
    values = np.array(rows) - np.mean(rows)
    window = np.hanning(len(values))
    amplitude = 2.0 * np.abs(np.fft.rfft(window * values)) / window.sum()
    return np.fft.rfftfreq(len(values), SAMPLE_S), amplitude


def amplitude_at(frequency: float, seen: tuple[Array, Array]) -> float:
    """The largest amplitude within 1 Hz."""
    return float(seen[1][np.abs(seen[0] - frequency) < 1.0].max())


@pytest.mark.slow
def test_a_rotor_shakes_at_its_frequency_and_multiples_of_it() -> None:
    """One unbalanced rotor at 50 Hz, the others still: m/s2 by the square of its speed."""
    speed = 2.0 * math.pi * 50.0
    simulator = exact({"harmonics": ((0.0,) * 3, (4.0, 2.0, 1.0)), "rotor_count": 1})
    seen = spectrum(simulator, speed)
    weight = (speed / 1000.0) ** 2
    for multiple, size in ((1, 4.0), (2, 2.0), (3, 1.0)):
        assert amplitude_at(50.0 * multiple, seen) == pytest.approx(size * weight, rel=0.05)
    assert amplitude_at(75.0, seen) < 0.01 * weight


@pytest.mark.slow
def test_what_is_above_half_the_sample_rate_appears_below_it_unless_filtered() -> None:
    """366 Hz sampled at 500 Hz is seen at 134 Hz; a Butterworth filter of second order at 100 Hz
    leaves 1 / sqrt(1 + 3.66^4) = 7.4 % of it. Without the filter all of it."""
    frequency, size = 366.0, 1.0
    speed = 2.0 * math.pi * frequency
    weight = (speed / 1000.0) ** 2
    seen = {}
    for bandwidth in (0.0, 100.0):
        values = {"harmonics": ((0.0,) * 3, (size, 0.0, 0.0)), "rotor_count": 1}
        simulator = exact({**values, "bandwidth_hz": bandwidth})
        seen[bandwidth] = amplitude_at(500.0 - frequency, spectrum(simulator, speed))
    assert seen[0.0] == pytest.approx(size * weight, rel=0.05)
    left = 1.0 / math.sqrt(1.0 + (frequency / 100.0) ** 4)
    assert seen[100.0] == pytest.approx(left * size * weight, rel=0.05)


def test_the_series_of_the_sine_is_good_enough() -> None:
    turns = np.linspace(0.0, 1.25, 500)
    errors = [abs(sine(float(t)) - math.sin(2.0 * math.pi * t)) for t in turns]
    assert max(errors) < 5e-6


def still(values: Mapping[str, object], seed: int) -> tuple[Array, Array]:
    simulator = exact(values, seed)
    simulator.advance(100)
    return np.array(simulator.output["gyro"]), np.array(simulator.output["accel"])


@pytest.mark.slow
def test_crooked_axes_feel_each_other_and_a_gyro_feels_its_weight() -> None:
    """At rest f = (0, 0, -9.8): the deviations over many runs are those of the file."""
    seeds = range(1, 151)
    bent = np.array([still({"cross_axis": (0.0, 0.01)}, seed)[1] for seed in seeds])
    turned = np.array([still({"misalignment_deg": (0.0, 1.0)}, seed)[1] for seed in seeds])
    pulled = np.array([still({"g_sensitivity": 0.01}, seed)[0] for seed in seeds])
    g = -float(bent[0, 2])
    assert bent[:, :2].std() == pytest.approx(0.01 * g, rel=0.15)
    assert turned[:, :2].std() == pytest.approx(math.radians(1.0) * g, rel=0.15)
    assert pulled.std() == pytest.approx(0.01 * g, rel=0.15)
    assert np.ptp(bent[:, 2]) == pytest.approx(0.0, abs=1e-6)
    straight = still({}, 1)
    assert straight[0] == pytest.approx([0.0] * 3, abs=1e-8)
    assert straight[1][:2] == pytest.approx([0.0] * 2, abs=1e-8)


def test_what_has_no_such_errors_has_none_drawn() -> None:
    """The seed's hector: its axes are exact."""
    simulator = parked(name="hector")
    simulator.advance(100)
    state = simulator.record["state"]
    assert not state["imu_mix"].any()
    assert not state["imu_wander"].any()
    assert state["has_lines"] == 0
    assert simulator.record["parameters"]["vibration"][ACCEL] == 0.0
