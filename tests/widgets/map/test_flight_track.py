"""The line on the map, read from recordings of every kind."""

import numpy as np
import pytest

from plugins.testing import add, short_flight
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.recording import Recording
from widgets.map.flight_track import FlightTrack
from widgets.map.projection import GeoPoint, project, unproject

GPS = {"Status": "Fix3D", "Latitude": 489_466_000, "Longitude": 94_300_000}


def place_at(track: FlightTrack, index: int) -> GeoPoint:
    return unproject(float(track.x[index]), float(track.y[index]))


def test_the_line_ends_where_the_aircraft_is() -> None:
    recording = short_flight()
    track = FlightTrack(recording)
    track.update()
    assert len(track.times) == 201
    for t in (0.0, 7.5, 20.0):
        state = read_flight_state(recording, t)
        end = place_at(track, track.past(t) - 1)
        assert end.latitude_deg == pytest.approx(state.latitude_deg, abs=1e-9)
        assert end.longitude_deg == pytest.approx(state.longitude_deg, abs=1e-9)


def test_only_what_is_new_is_read() -> None:
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=489_466_000, Longitude=94_300_000)
    track = FlightTrack(recording)
    for step in range(50):
        add(recording, step / 10, "PositionState", North=step)
        track.update()
        assert len(track.times) == step + 1
    key = track.key
    at_once = FlightTrack(recording)
    at_once.update()
    np.testing.assert_array_equal(track.y, at_once.y)
    assert track.key == key


def test_before_the_estimate_the_receiver_counts() -> None:
    recording = Recording()
    for t in range(3):
        add(recording, t, "GPSPositionSensor", **GPS)
    add(recording, 3.0, "HomeLocation", Set="True", Latitude=489_466_000, Longitude=94_300_000)
    for t in range(4, 7):
        add(recording, t, "PositionState", North=100.0)
        add(recording, t, "GPSPositionSensor", **GPS)
    track = FlightTrack(recording)
    track.update()
    assert list(track.times) == [0, 1, 2, 4, 5, 6]
    assert place_at(track, 2).latitude_deg == pytest.approx(48.9466)
    assert place_at(track, 3).latitude_deg == pytest.approx(48.9466 + 100 / 111_208.7, abs=1e-7)


def test_places_without_a_fix_are_left_out() -> None:
    recording = Recording()
    add(recording, 0.0, "GPSPositionSensor", Status="NoFix", Latitude=1, Longitude=1)
    add(recording, 1.0, "GPSPositionSensor", **GPS)
    track = FlightTrack(recording)
    track.update()
    assert list(track.times) == [1.0]


def test_a_new_home_moves_only_what_came_after() -> None:
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=480_000_000, Longitude=90_000_000)
    add(recording, 1.0, "PositionState")
    track = FlightTrack(recording)
    track.update()
    key = track.key
    add(recording, 2.0, "HomeLocation", Set="True", Latitude=490_000_000, Longitude=90_000_000)
    add(recording, 3.0, "PositionState")
    track.update()
    assert place_at(track, 0).latitude_deg == pytest.approx(48)
    assert place_at(track, 1).latitude_deg == pytest.approx(49)
    assert track.key != key


def test_a_home_sent_again_changes_nothing() -> None:
    recording = short_flight()
    track = FlightTrack(recording)
    track.update()
    key = track.key
    add(recording, 21.0, "HomeLocation", Set="True", Latitude=489_466_000, Longitude=94_300_000)
    track.update()
    assert track.key == key


def test_without_home_or_receiver_the_shape_is_drawn_around_nowhere() -> None:
    recording = Recording()
    for step in range(5):
        add(recording, float(step), "PositionState", North=10.0 * step)
    track = FlightTrack(recording)
    track.update()
    assert track.is_relative
    assert (track.x[0], track.y[0]) == pytest.approx(project(GeoPoint(0, 0)))
    add(recording, 6.0, "HomeLocation", Set="True", Latitude=489_466_000, Longitude=94_300_000)
    add(recording, 7.0, "PositionState", North=50.0)
    track.update()
    assert not track.is_relative
    assert list(track.times) == [7.0]


def test_a_silence_breaks_the_line() -> None:
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=489_466_000, Longitude=94_300_000)
    for t in (1.0, 2.0, 60.0, 61.0):
        add(recording, t, "PositionState", North=t)
    track = FlightTrack(recording)
    track.update()
    assert list(np.isnan(track.x)) == [False, False, True, False]


def test_nothing_recorded() -> None:
    track = FlightTrack(Recording())
    track.update()
    assert track.start is None
    assert track.past(10.0) == 0


def test_an_estimate_sent_once_gives_way_to_the_receiver() -> None:
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=489_466_000, Longitude=94_300_000)
    add(recording, 1.0, "PositionState", North=100.0, Down=-3.0)
    track = FlightTrack(recording)
    for t in range(2, 20):
        place = {"Status": "Fix3D", "Latitude": 489_500_000 + t, "Longitude": 94_300_000}
        add(recording, float(t), "GPSPositionSensor", **place)
        track.update()
    assert list(track.times) == [1.0, *range(7, 20)]
    for t in (3, 12, 19):
        state = read_flight_state(recording, t)
        end = place_at(track, track.past(t) - 1)
        assert end.latitude_deg == pytest.approx(state.latitude_deg, abs=1e-9)
    add(recording, 20.0, "PositionState", North=100.0)
    add(recording, 20.5, "GPSPositionSensor", **GPS)
    track.update()
    assert list(track.times[-2:]) == [19.0, 20.0]


def test_heights_are_those_above_home() -> None:
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=1, Longitude=1, Altitude=270.0)
    add(recording, 1.0, "GPSPositionSensor", Altitude=275.0, **GPS)
    add(recording, 2.0, "PositionState", Down=-7.0)
    track = FlightTrack(recording)
    track.update()
    assert list(track.heights_m) == [5.0, 7.0]


def test_the_line_does_not_join_a_wreck_and_home() -> None:
    """The first place of the aircraft started anew is heard before its SystemStats are."""
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=489_466_000, Longitude=94_300_000)
    track = FlightTrack(recording)
    for step in range(30):
        t = 0.2 * (step + 1)
        if step % 5 == 0:
            add(recording, t, "SystemStats", FlightTime=60_000 + round(1000 * t))
        add(recording, t, "PositionState", North=2.0 * step)
        track.update()
    assert np.isfinite(track.x).all()
    key = track.key
    for step in range(10):
        t = 6.1 + 0.2 * step
        add(recording, t, "PositionState", North=0.0)
        if step % 5 == 4:
            add(recording, t, "SystemStats", FlightTime=1000)
        track.update()
    assert np.flatnonzero(np.isnan(track.x)).tolist() == [30]
    assert track.key != key, "what was drawn already is drawn anew"
