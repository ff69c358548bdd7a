"""The air: standard atmosphere with weather, mean wind, turbulence, single gusts."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simulation.environment.atmosphere import altitude_m, density, pressure_pa, temperature_k
from simulation.environment.turbulence import (
    across,
    add_turbulence,
    begin_turbulence,
    deviations,
    rolling_deviation,
    scale_lengths_m,
    step_across,
    step_along,
)
from simulation.environment.wind import add_gust, gust_share, profile
from simulation.environment.wind_table import (
    WindTableError,
    read_wind,
    wind_from_series,
    wind_table,
)
from simulation.mathematics.random_numbers import gaussian_pair
from simulation.physics.rigid_body import derivative
from simulation.records.flight import ATTITUDE, MOTION, RATES, VELOCITY, WIND_ROWS
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked, thrown

Array = npt.NDArray[np.float64]


# Atmosphere -------------------------------------------------------------------------------


def test_standard_atmosphere() -> None:
    assert pressure_pa(0.0) == pytest.approx(101325.0)
    assert pressure_pa(1000.0) == pytest.approx(89874.6, rel=1e-4)
    assert density(1000.0) == pytest.approx(1.1117, rel=1e-3)
    assert altitude_m(pressure_pa(270.0)) == pytest.approx(270.0, abs=1e-6)


def test_far_above_the_atmosphere_there_is_none() -> None:
    assert 0.0 <= pressure_pa(60_000.0) < 1e-6
    assert 0.0 <= density(60_000.0) < 1e-6


def test_weather_changes_air_for_motor_and_barometer_alike() -> None:
    """10 K warmer: 3.4 % thinner air; 10 hPa less: the barometer reads 83 m more."""
    standard, warm, low = parked(), parked(), parked()
    apply(warm, "weather_warmer_k", 10.0)
    apply(low, "weather_pressure_pa", -1000.0)
    for simulator in (standard, warm, low):
        simulator.advance(40)
    normal, thin, thinner = (
        float(simulator.record["state"]["air_density_ratio"]) for simulator in (standard, warm, low)
    )
    assert thin / normal == pytest.approx(286.4 / 296.4, rel=2e-3)
    assert thinner / normal == pytest.approx(1.0 - 1000.0 / 101325.0, rel=1e-6)
    higher = float(low.output["baro_altitude_m"] - standard.output["baro_altitude_m"])
    assert higher == pytest.approx(83.0, abs=1.0)
    assert temperature_k(0.0, 10.0) == pytest.approx(298.15)


# Mean wind --------------------------------------------------------------------------------


def test_wind_blows_as_set_and_weakens_towards_the_ground() -> None:
    assert _wind_at(6.1, north=0.0, east=6.0)[1] == pytest.approx(6.0, rel=1e-6)
    assert _wind_at(50.0, north=0.0, east=6.0)[1] == pytest.approx(8.38, rel=0.01)
    assert 0.5 < _wind_at(0.2, north=0.0, east=6.0)[1] < 3.0
    assert profile(0.01, 0.03) == 0.0
    assert profile(0.01, 0.0) == 1.0


def test_schedule_is_interpolated_and_holds_its_ends() -> None:
    simulator = thrown(parked(), 6.1)
    simulator.set_wind(1.0, 0.0)
    simulator.set_wind_table(
        wind_table([(0.1, 0.0, 0.0, 0.0), (0.2, 0.0, 4.0, 1.0), (0.22, 0.0, 8.0, 0.0)])
    )
    found = []
    for _ in range(16):
        thrown(simulator, 6.1)
        simulator.advance(20)  # the wind shown is that of 20 ms ago
        found.append(simulator.output["true_wind"].tolist())
    assert found[2] == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)
    assert found[7] == pytest.approx([1.0, 1.6, 0.4], abs=1e-9)
    assert found[10] == pytest.approx([1.0, 4.0, 1.0], abs=1e-9)
    assert found[15] == pytest.approx([1.0, 8.0, 0.0], abs=1e-9)


def test_wind_log_is_read_as_velocity_or_as_where_it_comes_from(tmp_path: Path) -> None:
    file = tmp_path / "wind.csv"
    file.write_text("# mast, 6 m\ntime_s,north_mps,east_mps\n0,1,2\n5,3,4\n")
    assert read_wind(file).rows.tolist() == [[0, 1, 2, 0], [5, 3, 4, 0]]
    file.write_text("time_s,speed_mps,from_deg\n0,5,270\n")
    assert read_wind(file).rows[0] == pytest.approx([0.0, 0.0, 5.0, 0.0], abs=1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time_s,north_mps\n0,1\n", "line 1: columns are missing"),
        ("time_s,north_mps,east_mps,up\n", "line 1: unknown column 'up'"),
        ("time_s,north_mps,east_mps\n0,1,__import__('os')\n", "line 2: not one number"),
        ("time_s,north_mps,east_mps\n0,1,nan\n", "row 1: not all are numbers"),
        (
            "time_s,north_mps,east_mps\n0,1,1\n1,1,-1e9\n",
            r"row 2: 1e\+09 m/s is no wind",
        ),
        ("time_s,north_mps,east_mps\n1,1,1\n1,2,2\n", "row 2: the time is not after"),
        ("time_s,north_mps,east_mps\n", "no rows"),
    ],
)
def test_a_broken_wind_log_is_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "wind.csv"
    file.write_text(text)
    with pytest.raises(WindTableError, match=words):
        read_wind(file)


def test_a_long_recording_is_averaged_to_what_fits() -> None:
    times = np.linspace(33.0, 1032.9, 10_000)
    table = wind_from_series(times, np.full(10_000, 2.0), np.linspace(0, 10, 10_000), None)
    assert len(table.rows) == WIND_ROWS
    assert table.rows[:, 1] == pytest.approx(2.0)
    assert table.rows[-1, 2] == pytest.approx(10.0, abs=0.02)
    assert table.rows[0, 0] == pytest.approx(0.95, abs=0.1)


# Dryden turbulence ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("height", "length", "along", "vertical"),
    [(10.0, 67.0, 1.46, 0.77), (50.0, 202.0, 1.23, 0.77), (100.0, 263.0, 1.06, 0.77)],
)
def test_dryden_lengths_and_deviations_for_15_knots(
    height: float, length: float, along: float, vertical: float
) -> None:
    w20 = 15.0 * 0.514444
    assert scale_lengths_m(height)[0] == pytest.approx(length, rel=0.01)
    assert scale_lengths_m(height)[1] == pytest.approx(height)
    assert deviations(height, w20) == pytest.approx((along, vertical), rel=0.01)


@pytest.mark.parametrize("dt", [0.001, 0.005, 0.02, 0.1])
def test_stationary_deviation_does_not_depend_on_the_step(dt: float) -> None:
    """The exact covariance of the discrete filters, from their response to unit inputs."""
    change, noise = _filter(0.2 * dt)
    covariance = np.array([[1.0, math.sqrt(0.5)], [math.sqrt(0.5), 1.0]])
    assert change @ covariance @ change.T + noise @ noise.T == pytest.approx(covariance, abs=1e-9)
    assert _OUTPUT @ covariance @ _OUTPUT == pytest.approx(1.0, abs=1e-12)
    decay, kick = step_along(1.0, 0.2 * dt, 0.0), step_along(0.0, 0.2 * dt, 1.0)
    assert decay * decay + kick * kick == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("dt", [0.001, 0.1])
def test_correlation_over_distance_is_that_of_dryden(dt: float) -> None:
    """Across: e^-x (1 - x/2) with x = distance / L; along: e^-x."""
    covariance = np.array([[1.0, math.sqrt(0.5)], [math.sqrt(0.5), 1.0]])
    for x in (0.5, 1.0):
        steps = round(x / (0.2 * dt))
        change = np.linalg.matrix_power(_filter(0.2 * dt)[0], steps)
        found = _OUTPUT @ change @ covariance @ _OUTPUT
        assert found == pytest.approx(math.exp(-x) * (1.0 - 0.5 * x), abs=1e-6)
        assert step_along(1.0, 0.2 * dt, 0.0) ** steps == pytest.approx(math.exp(-x), abs=1e-9)


@pytest.mark.slow
def test_turbulence_of_a_run_has_the_deviation_of_its_height() -> None:
    z, samples = np.zeros(2), []
    for k in range(20_000):
        step_across(z, 0.5, *gaussian_pair(7, 1, k))
        samples.append(across(z))
    assert np.std(samples) == pytest.approx(1.0, rel=0.03)


def test_hovering_in_calm_air_still_meets_turbulence() -> None:
    """Without a least speed the filters would stand still."""
    simulator, found = parked(), []
    simulator.set_turbulence(10.0)
    simulator.record["world"]["roughness"] = 0.0
    for _ in range(60):
        for _ in range(2):
            simulator.advance(20)
        found.append(simulator.output["true_wind"].copy())
    assert np.diff(np.array(found)[:, 0]).std() > 0.05
    assert np.abs(np.array(found)).max() < 10.0


def test_the_start_is_as_turbulent_as_any_other_moment() -> None:
    first, turning = [], []
    for seed in range(1, 60):
        simulator = Simulator(parked().aircraft, seed)
        simulator.set_turbulence(10.0)
        simulator.advance(1)
        first.append(simulator.output["true_wind"].copy())
        turning.append(simulator.record["state"]["air_rates"][0].copy())
    expected = deviations(0.2, 10.0)
    span = float(simulator.aircraft.parameters["gust_span"])
    rolling = expected[1] * rolling_deviation(scale_lengths_m(0.2)[1], span)
    assert np.std(turning) == pytest.approx(rolling, rel=0.35)
    assert np.std(first, axis=0) == pytest.approx([expected[0], expected[0], expected[1]], rel=0.35)


def test_turbulence_can_be_switched_off_again() -> None:
    simulator = parked()
    simulator.set_turbulence(10.0)
    simulator.advance(100)
    assert simulator.record["state"]["air_rates"].all()
    simulator.set_turbulence(0.0)
    simulator.advance(40)
    assert simulator.output["true_wind"].tolist() == [0.0, 0.0, 0.0]
    assert not simulator.record["state"]["air_rates"].any()


@pytest.mark.parametrize(("height", "span"), [(50.0, 0.835), (10.0, 0.8), (100.0, 2.0)])
def test_rolling_gusts_have_the_power_of_their_spectrum(height: float, span: float) -> None:
    """MIL-F-8785C, 3.7.5: the integral of Phi_p over all wave numbers is sigma_p squared; Yeager,
    NASA/CR-1998-206937, puts it at 1.9 sigma_w / sqrt(L_w b)."""
    wave = np.concatenate(([0.0], np.logspace(-4, 4, 20_001)))
    density = 0.8 * (math.pi * height / (4.0 * span)) ** (1.0 / 3.0) / height
    spectrum = density / (1.0 + (4.0 * span * wave / math.pi) ** 2)
    found = rolling_deviation(height, span)
    assert found == pytest.approx(math.sqrt(np.trapezoid(spectrum, wave)), rel=1e-3)
    assert found == pytest.approx(1.9 / math.sqrt(height * span), rel=0.3)


@pytest.mark.slow
def test_pitching_and_yawing_gusts_are_the_slopes_of_the_others() -> None:
    """MIL-F-8785C, 3.7.5: q = -dw/dx and r = dv/dx behind low-passes over 4b/pi and 3b/pi, in
    amplitude and phase, for waves from 10 m to 3 m at a span of 1 m."""
    flight = parked().record
    world, state = flight["world"], flight["state"]
    world["turbulence_w20"] = 10.0
    begin_turbulence(state)
    rows, dx = [], 0.05
    for k in range(4000):
        state["wind"] = 0.0
        add_turbulence(world, state, (50.0, 1.0), (dx, k))
        rows.append((*state["wind"], *state["air_rates"]))
    _, v, w, _, q, r = np.array(rows).T
    for effect, cause, sign, length in ((q, w, -1.0, 4.0 / math.pi), (r, v, 1.0, 3.0 / math.pi)):
        wave, transfer = _transfer(cause, effect, dx)
        expected = sign * 1j * wave / (1.0 + 1j * length * wave)
        band = (wave > 0.6) & (wave < 2.0)
        assert np.abs(transfer[band] / expected[band] - 1.0).max() < 0.12


def _transfer(cause: Array, effect: Array, dx: float) -> tuple[Array, Any]:
    """Wave numbers in rad/m and the transfer function, from averaged cross-spectra."""
    segment, window = 800, np.hanning(800)
    starts = range(0, len(cause) - segment + 1, segment // 2)
    first, second = (
        np.array([np.fft.rfft(window * x[i : i + segment]) for i in starts])
        for x in (cause, effect)
    )
    transfer = (second * first.conj()).sum(axis=0) / (np.abs(first) ** 2).sum(axis=0)
    return 2.0 * math.pi * np.fft.rfftfreq(segment, dx), transfer


def test_turning_air_turns_the_aircraft() -> None:
    """A wing is taken along by turning air as C_lp says, and left alone where it turns with it."""
    p = parked(1, "sea-vixen").aircraft.parameters
    flight = parked(1, "sea-vixen").record
    state, motion = flight["state"], flight["state"]["motion"]
    state["air_density_ratio"] = 1.0
    motion[VELOCITY] = 14.0
    motion[ATTITUDE : ATTITUDE + 4] = (1.0, 0.0, 0.0, 0.0)
    slope, wrench = np.zeros(MOTION), np.zeros(6)
    state["air_rates"] = (0.3, 0.0, 0.0)
    derivative(p, state, motion, slope, wrench)
    area, span = 0.1738, 0.835
    expected = 0.5 * 1.225 * 14.0**2 * area * span * 0.35 * 0.3 * span / (2.0 * 14.0)
    assert wrench[3] == pytest.approx(expected, rel=1e-3)
    motion[RATES] = 0.3
    derivative(p, state, motion, slope, wrench)
    assert wrench[3] == pytest.approx(0.0, abs=1e-9)


# Single gusts -----------------------------------------------------------------------------


def test_gust_swells_and_fades() -> None:
    assert gust_share(0.0, 60.0) == 0.0
    assert gust_share(15.0, 60.0) == pytest.approx(0.5)
    assert gust_share(30.0, 60.0) == pytest.approx(1.0)
    assert gust_share(60.0, 60.0) == 0.0


def test_a_gust_that_was_not_started_does_not_blow() -> None:
    simulator = parked()
    simulator.advance(5000)
    simulator.world["gust"] = (0.0, 6.0, 0.0)
    simulator.advance(100)
    assert simulator.output["true_wind"].tolist() == [0.0, 0.0, 0.0]


def test_gust_starts_when_told_and_passes_at_the_speed_of_flight() -> None:
    simulator = parked()
    simulator.advance(100)
    simulator.world["gust"] = (0.0, 6.0, -2.0)
    simulator.world["gust_length"] = 4.0
    simulator.start_gust()
    found = []
    for _ in range(120):
        thrown(simulator, 100.0, velocity=(20.0, 0.0, 0.0))
        simulator.advance(20)
        found.append(simulator.output["true_wind"].tolist())
    east = np.array(found)[:, 1]
    assert east.max() == pytest.approx(6.0, abs=0.2)
    assert np.array(found)[:, 2].min() == pytest.approx(-2.0, abs=0.1)
    assert 8 <= np.count_nonzero(east) <= 10  # 4 m at 20 m/s in steps of 20 ms
    assert east[-1] == 0.0


_OUTPUT = np.array([across((1.0, 0.0)), across((0.0, 1.0))])


def _filter(t: float) -> tuple[Array, Array]:
    """Transition and noise matrix of the second-order filter, from its responses."""
    responses = []
    for inputs in np.eye(4):
        z = inputs[:2].copy()
        step_across(z, t, inputs[2], inputs[3])
        responses.append(z)
    columns = np.array(responses).T
    return columns[:, :2], columns[:, 2:]


def _wind_at(height_m: float, north: float, east: float) -> list[float]:
    simulator = thrown(parked(), height_m)
    simulator.set_wind(north, east)
    simulator.advance(1)
    wind: list[float] = simulator.output["true_wind"].tolist()
    return wind


def test_a_gust_begins_at_its_time_and_is_left_behind_after_its_length() -> None:
    """Half of it, of 20 m, is where the whole amplitude is felt; it begins anew before its time."""
    world = {"gust_start": 5.0, "gust_length": 20.0, "gust": [4.0, -2.0, 1.0]}
    state: dict[str, Any] = {"gust_travelled": 7.0, "wind": [1.0, 1.0, 1.0]}
    add_gust(world, state, 4.9, 10.0)
    assert state == {"gust_travelled": 0.0, "wind": [1.0, 1.0, 1.0]}
    add_gust(world, state, 5.0, 10.0)
    assert state["wind"] == pytest.approx([5.0, -1.0, 2.0])
    add_gust(world, state, 5.1, 5.0)
    assert state["wind"] == pytest.approx([7.0, -2.0, 2.5])
    add_gust(world, state, 5.2, 5.0)
    add_gust(world, state, 5.3, 5.0)
    assert state == {"gust_travelled": 20.0, "wind": pytest.approx([7.0, -2.0, 2.5])}
