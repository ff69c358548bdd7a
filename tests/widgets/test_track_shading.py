"""What the colour of a track stands for."""

import numpy as np
import pytest

from plugins.testing import add, short_flight
from telemetry.recording.recording import Recording
from widgets.map.flight_track import FlightTrack
from widgets.map.scene import SHADES
from widgets.track_shading import TrackShading, shading, speeds


def shading_of(recording: Recording) -> TrackShading:
    track = FlightTrack(recording)
    track.update()
    return TrackShading(track)


def test_height_is_shown_over_a_round_range() -> None:
    found = shading_of(short_flight()).of("height")
    assert found is not None
    assert (found.low, found.high, found.unit) == (0.0, 20.0, "m")
    levels = found.levels(0, 201)
    assert (levels[0], levels[-1]) == (0, SHADES - 1)
    assert np.all(np.diff(levels) >= 0)


def test_one_colour_has_no_shading() -> None:
    assert shading_of(short_flight()).of("") is None


def test_speed_counts_while_it_is_fresh() -> None:
    recording = Recording()
    add(recording, 1.0, "VelocityState", North=3.0, East=4.0)
    add(recording, 30.0, "GPSPositionSensor", Groundspeed=9.0)
    found = speeds(recording, np.array([0.5, 1.0, 5.9, 7.0, 31.0]))
    np.testing.assert_array_equal(found, [np.nan, 5.0, 5.0, np.nan, 9.0])


def test_without_velocity_there_is_no_speed_to_show() -> None:
    assert shading_of(short_flight()).of("speed") is None


def test_an_outlier_does_not_wash_out_the_rest() -> None:
    values = np.append(np.linspace(0.0, 10.0, 1000), 9999.0)
    found = shading("Speed", "m/s", values)
    assert found is not None
    assert found.high == 10.0
    assert found.levels(1000, 1001).tolist() == [SHADES - 1]


def test_a_grown_track_is_shaded_anew() -> None:
    recording = short_flight()
    shades = shading_of(recording)
    before = shades.of("height")
    assert shades.of("height") is before
    add(recording, 21.0, "PositionState", Down=-100.0)
    shades.track.update()
    after = shades.of("height")
    assert after is not None
    assert len(after.values) == 202
    assert after.values[-1] == pytest.approx(100.0)


def test_any_field_or_expression_colours_a_track_as_it_held() -> None:
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=1, Longitude=1)
    add(recording, 0.5, "BaroSensor", Altitude=3.0, Temperature=20.0)
    for t in (1.0, 2.0):
        add(recording, t, "PositionState", North=t)
    add(recording, 2.5, "BaroSensor", Altitude=4.0, Temperature=30.0)
    add(recording, 3.0, "PositionState", North=3.0)
    shaded = shading_of(recording)
    field = shaded.of("BaroSensor.Temperature")
    assert field is not None
    assert field.values.tolist() == [20.0, 20.0, 30.0]
    assert field.title == "BaroSensor.Temperature"
    sum_of_both = shaded.of("=BaroSensor.Altitude + BaroSensor.Temperature")
    assert sum_of_both is not None
    assert sum_of_both.values.tolist() == [23.0, 23.0, 34.0]
    assert shaded.problem == ""


@pytest.mark.parametrize("path", ["BaroSensor.Temprature", "=norm(", "=__import__('os')"])
def test_what_cannot_be_read_is_a_sentence(path: str) -> None:
    shaded = shading_of(short_flight())
    assert shaded.of(path) is None
    assert shaded.problem
