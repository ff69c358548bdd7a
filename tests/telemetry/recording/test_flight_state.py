"""The state of an aircraft at one instant: where it says it is."""

from pathlib import Path

import numpy as np
import pytest

from plugins.testing import LENGTH_S, add, short_flight
from telemetry.missions.local_coordinates import moved
from telemetry.recording.flight_state import armed_spans, read_flight_state
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from tests.telemetry.recording.logs.books import CATALOGUE

HOME = {"Latitude": 489_466_000, "Longitude": 94_300_000, "Altitude": 270.0, "Set": "True"}
GPS = {"Latitude": 489_500_000, "Longitude": 94_400_000, "Altitude": 333.0, "Status": "Fix3D"}


def flight(estimate_s: float, gps_s: float, status: str = "Fix3D") -> Recording:
    """A recording with home, one estimate and one place of the receiver."""
    recording = Recording()
    add(recording, 0.0, "HomeLocation", **HOME)
    objects = [
        (estimate_s, "PositionState", {"North": 100.0, "East": 0.0, "Down": -20.0}),
        (gps_s, "GPSPositionSensor", {**GPS, "Status": status}),
    ]
    for t, name, values in sorted(objects, key=lambda item: item[0]):
        add(recording, t, name, **values)
    return recording


def test_the_estimate_counts_before_the_receiver() -> None:
    state = read_flight_state(flight(estimate_s=6.0, gps_s=10.0), 10.0)
    estimated = moved(48.9466, 9.43, 100.0, 0.0)
    assert (state.latitude_deg, state.longitude_deg) == pytest.approx(estimated)
    assert state.altitude_m == pytest.approx(290.0)


def test_an_estimate_sent_once_gives_way_to_the_receiver() -> None:
    state = read_flight_state(flight(estimate_s=1.0, gps_s=10.0), 10.0)
    assert (state.latitude_deg, state.longitude_deg) == pytest.approx((48.95, 9.44))
    assert state.altitude_m == pytest.approx(333.0)


def test_an_old_estimate_stays_where_the_receiver_is_no_younger_or_has_no_fix() -> None:
    estimated = pytest.approx(moved(48.9466, 9.43, 100.0, 0.0)[0])
    assert read_flight_state(flight(1.0, 2.0), 60.0).latitude_deg == estimated
    assert read_flight_state(flight(1.0, 10.0, "NoFix"), 10.0).latitude_deg == estimated


def test_the_way_home_follows_the_receiver_when_it_takes_over() -> None:
    state = read_flight_state(flight(estimate_s=1.0, gps_s=10.0), 10.0)
    assert (state.north_m, state.east_m) == pytest.approx((378.1, 732.5), abs=0.2)
    assert state.distance_home_m == pytest.approx(824.3, abs=0.2), "not the 100 m of 9 s ago"
    assert state.height_m == pytest.approx(63.0)
    assert state.position_age_s == state.gps_age_s == 0.0


@pytest.mark.parametrize(
    ("home_m", "down_m"),
    [
        pytest.param(318.0, -63.0, id="firmware, above the ellipsoid"),
        pytest.param(270.0, -63.0, id="Tau Labs and dRonin, above sea level"),
        pytest.param(270.0, -111.0, id="a station's sea level on OpenPilot"),
    ],
)
def test_the_altitude_is_above_sea_level_wherever_home_is_kept(
    home_m: float, down_m: float
) -> None:
    """GPS.c (setHomeLocation) and filterlla.c of OpenPilot and LibrePilot add GeoidSeparation to
    home and to every fix, attitude.c (check_home_location) of Tau Labs and dRonin to neither. So
    an OpenPilot with a home at sea level believes itself higher by the geoid."""
    recording = Recording()
    add(recording, 0.0, "HomeLocation", **{**HOME, "Altitude": home_m})
    add(recording, 0.5, "PositionState", Down=down_m)
    add(recording, 1.0, "GPSPositionSensor", **GPS, GeoidSeparation=48.0)  # begins in the air
    state = read_flight_state(recording, 1.0)
    assert state.altitude_m == pytest.approx(333.0)
    add(recording, 20.0, "GPSPositionSensor", **{**GPS, "Altitude": 303.0}, GeoidSeparation=48.0)
    later = read_flight_state(recording, 20.0)
    assert state.height_m is not None
    assert later.height_m is not None
    assert later.height_m == pytest.approx(state.height_m - 30.0), "by the receiver alone"


@pytest.mark.slow
def test_the_altitude_of_the_flight_of_2014_is_that_of_its_receiver(shared_logs: Path) -> None:
    """Its home lies 127.8 m above the ellipsoid, 33.5 m more above sea level."""
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    recording = read_log(log, CATALOGUE).recording
    told_s, told_m = recording.series("GPSPositionSensor.Altitude")
    shown_m = [read_flight_state(recording, float(t)).altitude_m for t in told_s[::20]]
    apart_m = np.array(shown_m, float) - told_m[::20]
    assert abs(np.nanmedian(apart_m)) < 5.0


@pytest.mark.parametrize(
    ("measured", "shown"),
    [
        ({}, (None, None)),  # what firmware sends without a power sensor
        ({"Voltage": 11.4}, (11.4, None)),  # a voltage alone does not tell the charge
        ({"Voltage": 11.4, "Current": 8.0, "ConsumedEnergy": 440.0}, (11.4, 80.0)),
    ],
)
def test_a_battery_without_a_sensor_shows_nothing(
    measured: dict[str, float], shown: tuple[float | None, float | None]
) -> None:
    recording = Recording()
    add(recording, 0.0, "FlightBatterySettings", Capacity=2200)
    add(recording, 1.0, "FlightBatteryState", **measured)
    state = read_flight_state(recording, 2.0)
    assert (state.battery_v, state.battery_percent) == pytest.approx(shown)


@pytest.mark.parametrize(
    ("t", "armed_s"),
    [(9.0, None), (10.0, 0.0), (25.5, 15.5), (40.0, 30.0), (100.0, 30.0), (123.0, 3.0)],
)
def test_the_clock_counts_the_time_armed(t: float, armed_s: float | None) -> None:
    """Not the time since power-up, which SystemStats tells."""
    recording = Recording()
    add(recording, 0.0, "SystemStats", FlightTime=600_000)
    for at, state in (
        *((0.0, "Disarmed"), (8.0, "Arming"), (10.0, "Armed"), (20.0, "Armed")),
        *((40.0, "Disarmed"), (120.0, "Armed")),
    ):
        add(recording, at, "FlightStatus", Armed=state)
    assert read_flight_state(recording, t).armed_s == armed_s


def test_armed_time_is_found() -> None:
    assert armed_spans(short_flight(), LENGTH_S) == [(5.0, 18.0)]
    still = Recording()
    add(still, 1.0, "FlightStatus", Armed="Armed")
    assert armed_spans(still, 9.0) == [(1.0, 9.0)]
    assert armed_spans(Recording(), 9.0) == []
    assert armed_spans(None, 9.0) == []


def test_views_of_one_instant_share_what_was_read_and_never_see_an_old_one() -> None:
    recording = flight(estimate_s=6.0, gps_s=10.0)
    first = read_flight_state(recording, 10.0)
    assert read_flight_state(recording, 10.0) is first
    assert read_flight_state(recording, 11.0).position_age_s == pytest.approx(5.0)
    add(recording, 10.0, "PositionState", North=0.0, East=0.0, Down=-7.0)
    assert read_flight_state(recording, 10.0).height_m == 7.0
