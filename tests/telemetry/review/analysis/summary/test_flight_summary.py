"""A flight in figures, by sums done by hand."""

from pathlib import Path

import pytest

from plugins.testing import add
from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.review.analysis.summary.figure import SummaryFigure
from telemetry.review.analysis.summary.flight_summary import summarise

_METRES_PER_DEGREE = 111_208.7  # of latitude on WGS84 at 48.95 deg north
FROM_S, TO_S = 20.0, 220.0
"""In the air."""


def flown(satellites: int = 11) -> Recording:
    """From home 100 s to the north at 5 m/s, and back; at 12 m from the second second on; 10 A at
    12 V all the time. Four minutes of recording."""
    recording = Recording(source="a.opl")
    place = {"Latitude": 489_466_000, "Longitude": 94_300_000}
    add(recording, 0.0, "HomeLocation", Set="True", Altitude=270.0, **place)
    for second in range(241):
        t = float(second)
        is_up = FROM_S <= t < TO_S
        north = 5.0 * (min(t, TO_S) - FROM_S) if t > FROM_S else 0.0
        north = north if t <= 120.0 else 1000.0 - north
        height = 12.0 if is_up else 0.0
        is_armed = 10.0 <= t < 230.0
        add(recording, t, "FlightStatus", Armed="Armed" if is_armed else "Disarmed")
        add(recording, t, "ActuatorDesired", Thrust=0.5 if is_up else 0.0)
        add(recording, t, "BaroSensor", Altitude=285.0 + height)
        add(recording, t, "PositionState", North=north, Down=-height)
        add(recording, t, "VelocityState", North=5.0 if is_up else 0.0)
        add(recording, t, "FlightBatteryState", Voltage=12.0, Current=10.0)
        fix = {"Status": "Fix3D", "Satellites": satellites, "PDOP": 1.5}
        latitude = 489_466_000 + round((north + 2.0) / _METRES_PER_DEGREE * 1e7)
        speed = 5.0 if is_up else 0.0
        add(
            recording, t, "GPSPositionSensor", Latitude=latitude, Longitude=94_300_000,
            Groundspeed=speed, **fix,
        )  # fmt: skip
        for step in range(5):
            shake = 2.0 if step % 2 else -2.0
            add(recording, t + step / 5, "AccelState", z=-9.81 + shake)
    return recording


def figures(recording: Recording) -> dict[str, SummaryFigure]:
    return {figure.name: figure for section in summarise(recording) for figure in section.figures}


def test_way_height_and_speed() -> None:
    found = figures(flown())
    assert found["Flights"].value == 1
    assert found["In the air"].text in ("3 min 20 s", "3 min 21 s")
    assert found["Distance over ground"].value == pytest.approx(1000.0, abs=10.0)
    assert found["Farthest from take-off"].value == pytest.approx(500.0, abs=5.0)
    assert found["Greatest height"].value == pytest.approx(12.0, abs=0.1)
    assert found["Greatest ground speed"].value == pytest.approx(5.0)


def test_energy_is_power_over_time() -> None:
    """120 W for 240 s are 8 Wh, and 10 A for 240 s are 666.7 mAh."""
    found = figures(flown())
    assert found["Energy drawn"].value == pytest.approx(8.0)
    assert found["Charge drawn"].value == pytest.approx(666.67, abs=0.1)
    assert found["Mean power in the air"].value == pytest.approx(120.0)
    assert found["Charge drawn"].text == "667 mAh"


@pytest.mark.parametrize(
    ("satellites", "said", "level"),
    [(11, "yes", Level.OK), (9, "not for certain", Level.WARNING)],
)
def test_ten_satellites_for_minutes_are_right_to_a_metre(
    satellites: int, said: str, level: Level
) -> None:
    found = figures(flown(satellites))
    assert found["Right to a metre"].text == said
    assert found["Right to a metre"].level is level


def test_a_constant_distance_to_the_receiver_is_no_error() -> None:
    """The receiver stands 2 m further north than home says. That circles of latitude are shorter
    further north, 62 m at the end of this way, is none either."""
    found = figures(flown())
    assert found["Position, estimate against GPS"].value == pytest.approx(0.0, abs=0.02)
    assert found["Height, estimate against barometer"].value == pytest.approx(0.0, abs=1e-4)


def test_vibration_is_the_change_from_sample_to_sample() -> None:
    """From -2 to 2 m/s^2 and back, four times of five: 4 m/s^2 in four of five steps."""
    found = figures(flown())
    assert found["Mean"].value == pytest.approx(3.2, abs=0.05)
    assert found["Greatest"].level is Level.OK


def test_nothing_recorded_is_said_and_no_error() -> None:
    sections = summarise(Recording())
    assert [section.missing for section in sections if not section.figures] == [
        "The battery's voltage was not recorded.",
        "No satellite receiver was recorded.",
        "No sensor was recorded.",
        "No estimate was recorded.",
        "Too few accelerations were recorded in the air.",
    ]


def test_the_real_flight_of_2014(shared_logs: Path) -> None:
    """By its file: attitude ten times a second, eight satellites, no battery monitor; it flew for
    less than the 3 minutes in which it was armed."""
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    found = figures(read_log(log, load_catalogue()).recording)
    assert found["AttitudeState"].value == pytest.approx(10.0, abs=0.5)
    assert found["Satellites, in the middle"].value == 8
    assert "Energy drawn" not in found
    assert found["In the air"].text == "2 min 40 s"
    assert found["Right to a metre"].level is Level.WARNING
