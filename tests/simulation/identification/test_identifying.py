"""Identification of flights whose truth is known: told within its sigmas, or not told at all."""

import os
import re
from dataclasses import replace

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.identification.identification import Identification
from simulation.identification.identifying import identify, identify_wind_alone
from simulation.identification.logged_flight import IdentificationError, LoggedFlight, Signal
from simulation.identification.report import as_json, as_lines
from tests.simulation.identification.kernel_flights import flown, hovered

all_ways = pytest.mark.skipif(
    "LAPWING_ALL_WAYS" not in os.environ, reason="takes long; a benchmark asks the same"
)
_WIND = (3.0, -2.0)
_TRUTH = {
    "thrust_per_mass": 1.08,
    "drag_per_mass": 1.25,
    "torque_per_inertia_roll": 0.9,
    "torque_per_inertia_pitch": 1.05,
    "torque_per_inertia_yaw": 1.1,
    "motor_time_constant_ms": 60.0,
    "dead_time_ms": 7.0,
}


@pytest.fixture(scope="module")
def flight() -> LoggedFlight:
    return flown(_TRUTH, _WIND, seed=2)


@pytest.mark.slow
def test_what_is_otherwise_than_in_the_file_is_found_within_its_sigmas(
    flight: LoggedFlight,
) -> None:
    """Truth: the deviations that the simulator flew with, and the wind it was given."""
    found = identify(flight, load_aircraft("ar100b"))
    assert found.refused is None
    _check_held_out(found)
    _check_report(found)
    truth = {**_TRUTH, "wind_north_mps": _WIND[0], "wind_east_mps": _WIND[1]}
    for name, true in truth.items():
        told = found.told[name]
        assert told.value is not None, told.reason
        assert abs(told.value - true) < 3.0 * (told.sigma or 0.0), name
    for name, share in (("thrust_per_mass", 0.05), ("drag_per_mass", 0.05)):
        assert found.values[name] == pytest.approx(_TRUTH[name], rel=share)
    assert found.values["motor_time_constant_ms"] == pytest.approx(60.0, rel=0.15)
    assert found.values["dead_time_ms"] == pytest.approx(7.0, abs=3.0)


@pytest.mark.slow
def test_a7_a_hover_with_a_turn_tells_the_wind() -> None:
    """Test A7, of seed 000 (analysis by synthesis): a constant wind of 6 m/s by the log alone, to
    10 % and 10 degrees."""
    wind = (3.6, -4.8)
    found = identify(hovered(18, wind, turn_dps=25.0), load_aircraft("ar100b"))
    told = [found.told[f"wind_{to}_mps"] for to in ("north", "east")]
    values = [each.value or 0.0 for each in told]
    assert np.hypot(values[0] - wind[0], values[1] - wind[1]) < 0.6
    turn = np.degrees(np.arctan2(values[1], values[0]) - np.arctan2(wind[1], wind[0]))
    assert abs(turn) < 10.0
    assert max(each.sigma or np.inf for each in told) < 0.6 / 1.645


def _check_held_out(found: Identification) -> None:
    """Windows that were not fitted are repeated down to the noise. Of the AR100B's gyro while its
    rotors turn: 0.0002 deg/s per rad/s and axis of four at 300, and lines of 0.1: 0.2 deg/s."""
    rolled = found.held_out["gyro_x"]
    assert rolled.rms < 0.3
    assert rolled.explained > 0.9
    assert found.left_out == 0


def _check_report(found: Identification) -> None:
    """Each figure is said with its sigma."""
    report = as_json(found, "a.opl", "ar100b", series=True)
    assert report["parameters"]["drag_per_mass"]["excited"]
    names = report["covariance"]["names"]
    matrix = np.array(report["covariance"]["matrix"])
    assert matrix.shape == (len(names), len(names))
    row = names.index("drag_per_mass")
    sigma = report["parameters"]["drag_per_mass"]["sigma"]
    assert matrix[row, row] == pytest.approx(sigma**2)
    assert len(report["series"]["gyro_x"]["time_s"]) <= 4000
    text = "\n".join(as_lines(found, "a.opl", "ar100b"))
    # |(3, -2)| is 3.6; it blows to atan2(-2, 3) = -34 deg, so it comes from 146
    assert re.search(r"Wind 3\.[5-7]\d* \+- 0\.\d+ m/s from 14\d \+- ", text)


@pytest.mark.slow
def test_an_accelerometer_with_wrong_signs_does_not_tell_the_wind(flight: LoggedFlight) -> None:
    """Negative control: the flight must not be repeated by what contradicts it."""
    turned = Signal(flight.accel.times, flight.accel.values * (-1.0, -1.0, 1.0))
    wrong = replace(flight, accel=turned).within(flight.gyro.times[0], flight.gyro.times[0] + 14.0)
    found = identify(wrong, load_aircraft("ar100b"))
    assert "does not agree" in " ".join(found.notes) or found.refused is not None


@pytest.mark.slow
@all_ways
def test_the_file_of_another_aircraft_is_refused(flight: LoggedFlight) -> None:
    short = flight.within(flight.gyro.times[0], flight.gyro.times[0] + 14.0)
    found = identify(short, load_aircraft("crazyflie"))
    assert found.refused is not None
    assert "Is it the file of the aircraft that flew?" in found.refused


@pytest.mark.slow
def test_a_hover_does_not_tell_drag_from_wind() -> None:
    found = identify(hovered(15, (0.0, 0.0)), load_aircraft("ar100b"))
    for name in ("drag_per_mass", "torque_per_inertia_yaw"):
        assert found.told[name].value is None
        assert found.told[name].reason
    assert any("drag is the aircraft file's" in note for note in found.notes)


def test_slow_logs_tell_no_lags(flight: LoggedFlight) -> None:
    slow = replace(flight, pulses=_every(flight.pulses, 20))
    with pytest.raises(IdentificationError, match="ActuatorCommand was recorded 25 times a second"):
        identify(slow, load_aircraft("ar100b"))


@pytest.mark.parametrize(
    ("name", "why"), [("sea-vixen", "no multirotor"), ("tricopter", "a servo at its tail")]
)
def test_other_kinds_of_aircraft_are_refused(flight: LoggedFlight, name: str, why: str) -> None:
    with pytest.raises(IdentificationError, match=why):
        identify(flight, load_aircraft(name))


def test_five_seconds_are_too_few(flight: LoggedFlight) -> None:
    start = flight.gyro.times[0]
    with pytest.raises(IdentificationError, match="fly longer"):
        identify(flight.within(start, start + 5.0), load_aircraft("ar100b"))


def test_what_stays_on_the_ground_tells_nothing(flight: LoggedFlight) -> None:
    low = Signal(flight.pulses.times, np.zeros((len(flight.pulses.times), 1)))
    with pytest.raises(IdentificationError, match="0 s of this span were flown freely"):
        identify(replace(flight, height_m=low), load_aircraft("ar100b"))


def test_a_hover_alone_tells_where_the_wind_blows_to() -> None:
    """Without an aircraft file. Truth: the drag is along the wind, atan2(-4, 6) = -34 deg. Without
    a turn the accelerometer's bias may be as much as 0.1 m/s2 of about 0.9."""
    told = identify_wind_alone(hovered(14, (6.0, -4.0))).told
    north, east = (told[f"drag_of_wind_{to}_mps2"].value or 0.0 for to in ("north", "east"))
    assert np.degrees(np.arctan2(east, north)) == pytest.approx(-33.7, abs=10.0)
    assert np.hypot(north, east) > 0.4


def _every(signal: Signal, many: int) -> Signal:
    return Signal(signal.times[::many], signal.values[::many])


def _with_values(signal: Signal, values: float) -> Signal:
    return Signal(signal.times, np.full_like(signal.values, values))


@pytest.mark.parametrize("with_file", [True, False])
@pytest.mark.parametrize("name", ["gyro", "accel", "velocity"])
def test_a_signal_that_never_changes_was_not_measured(
    flight: LoggedFlight, name: str, with_file: bool
) -> None:
    """GPS without a fix sends zeros: a fit to them is sure of a wind that never blew."""
    stuck = replace(flight, **{name: _with_values(getattr(flight, name), 0.0)})
    with pytest.raises(IdentificationError, match="shows the same all the time"):
        identify(stuck, load_aircraft("ar100b")) if with_file else identify_wind_alone(stuck)


def test_the_battery_and_the_channels_of_another_aircraft_are_refused(flight: LoggedFlight) -> None:
    assert flight.voltage is not None
    full = replace(flight, voltage=_with_values(flight.voltage, 100.0))
    with pytest.raises(IdentificationError, match="A battery of 100 V flew, and AR100B has one"):
        identify(full, load_aircraft("ar100b"))
    few = replace(flight, pulses=Signal(flight.pulses.times, flight.pulses.values[:, :3]))
    with pytest.raises(IdentificationError, match=r"motor on channel 4, and .* of this log has 3"):
        identify(few, load_aircraft("ar100b"))


@pytest.mark.filterwarnings("error")
def test_motors_that_never_ran_and_days_of_log_are_refused(flight: LoggedFlight) -> None:
    still = replace(flight, pulses=_with_values(flight.pulses, 1000.0))
    with pytest.raises(IdentificationError, match="No motor ran"):
        identify(still, load_aircraft("ar100b"))
    pulses = flight.pulses
    times = np.append(pulses.times[:-1], pulses.times[0] + 86_400.0)
    with pytest.raises(IdentificationError, match=r"24\.0 hours long, and 2 are the most"):
        identify(replace(flight, pulses=Signal(times, pulses.values)), load_aircraft("ar100b"))


@pytest.mark.slow
@all_ways
@pytest.mark.filterwarnings("error")
def test_one_absurd_value_takes_one_window(flight: LoggedFlight) -> None:
    short = flight.within(flight.gyro.times[0], flight.gyro.times[0] + 22.0)
    values = short.gyro.values.copy()
    values[5000, 0] = 1e5
    spiked = replace(short, gyro=Signal(short.gyro.times, values))
    found = identify(spiked, load_aircraft("ar100b"))
    assert 1 <= found.left_out <= 3
    assert np.isfinite(found.covariance).all()
    assert found.values["wind_north_mps"] == pytest.approx(_WIND[0], abs=0.5)


@pytest.mark.slow
def test_gusts_do_not_look_like_motors_that_give_less() -> None:
    """A controller pushes back more where a gust pushes down more. With each sample counted on its
    own, thrust per mass came out 0.952 +- 0.007 of 1."""
    flight = flown({}, _WIND, turbulence_mps=2.0)
    told = identify(flight, load_aircraft("ar100b")).told["thrust_per_mass"]
    assert told.value == pytest.approx(1.0, abs=0.02)
    assert abs((told.value or 0.0) - 1.0) < 3.0 * (told.sigma or 0.0)
