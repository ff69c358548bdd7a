"""The verbs of the transport bar."""

import pytest

from plugins.testing import LENGTH_S, short_flight
from telemetry.recording.timeline import Timeline
from telemetry.review.flights.flight import Flight
from telemetry.review.flights.marker_editing import Marking
from widgets.transport import Transport, neighbour_s


@pytest.fixture
def replaying() -> tuple[Transport, Timeline]:
    transport, recording = Transport(), short_flight()
    line = Timeline(can_live=False)
    line.advance(0.0, recording.first_s, recording.last_s)
    transport.show(recording, line, Marking(Flight()))
    return transport, line


def test_without_a_flight_nothing_happens() -> None:
    transport = Transport()
    for verb in (transport.toggle, transport.pause, transport.go_to_start, transport.go_to_end,
                 transport.set_in, transport.set_out, transport.clear_selection,
                 transport.toggle_loop,
                 transport.add_marker, transport.delete_marker, transport.undo_marking,
                 transport.go_to_previous_marker):  # fmt: skip
        verb()
    transport.play(1)
    transport.step_s(1.0)
    transport.step_sample(1)
    transport.change_speed(1)
    assert transport.markers == ()


def test_again_is_faster_and_the_other_way_is_slow(
    replaying: tuple[Transport, Timeline],
) -> None:
    transport, line = replaying
    line.seek(10.0)
    for rate in (1.0, 2.0, 4.0):
        transport.play(1)
        assert line.rate == rate
    transport.play(-1)
    assert (line.mode, line.rate) == ("playing", -1.0)


def test_a_live_flight_plays_backwards_from_the_present() -> None:
    transport, recording, line = Transport(), short_flight(), Timeline()
    line.advance(0.0, recording.first_s, recording.last_s)
    transport.show(recording, line)
    transport.play(1)
    assert line.mode == "live"
    transport.play(-1)
    line.advance(1.0, recording.first_s, recording.last_s)
    line.advance(2.0, recording.first_s, recording.last_s)
    assert line.t < LENGTH_S
    transport.go_to_end()
    assert line.mode == "live"


def test_speeds_go_by_the_usual_steps(replaying: tuple[Transport, Timeline]) -> None:
    transport, line = replaying
    for speed in (2.0, 5.0, 10.0, 20.0, 50.0, 50.0):
        transport.change_speed(1)
        assert line.rate == speed
    for speed in (20.0, 10.0, 5.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.1):
        transport.change_speed(-1)
        assert line.rate == speed
    line.reverse()
    transport.set_speed(5.0)
    assert line.rate == -5.0


def test_sample_steps_stop_at_every_sample(replaying: tuple[Transport, Timeline]) -> None:
    transport, line = replaying
    line.seek(3.05)
    transport.step_sample(1)
    assert line.t == pytest.approx(3.1)
    transport.step_sample(-1)
    assert line.t == pytest.approx(3.0)
    recording = transport.recording
    assert recording is not None
    assert neighbour_s(recording, 0.0, -1) is None
    assert neighbour_s(recording, LENGTH_S, 1) is None


@pytest.mark.parametrize("out_first", [False, True])
def test_in_and_out_are_set_in_any_order_and_then_repeated(
    replaying: tuple[Transport, Timeline], out_first: bool
) -> None:
    transport, line = replaying
    points = [(4.0, transport.set_in), (9.0, transport.set_out)]
    for t, set_point in reversed(points) if out_first else points:
        line.seek(t)
        set_point()
    assert (line.selection, line.loop) == ((4.0, 9.0), None)
    transport.toggle_loop()
    assert line.loop == (4.0, 9.0)
    transport.clear_selection()
    assert (line.selection, line.loop) == (None, None)


def test_markers_belong_to_their_flight(replaying: tuple[Transport, Timeline]) -> None:
    transport, line = replaying
    for t, category in ((7.0, ""), (3.0, ""), (7.02, "gust")):
        line.seek(t)
        transport.add_marker(category)
    assert [(marker.t, marker.text) for marker in transport.markers] == [
        (3.0, "Marker 1"), (7.0, "gust"),
    ]  # fmt: skip
    line.seek(9.0)
    for t in (7.0, 3.0, 3.0):
        transport.go_to_previous_marker()
        assert line.t == t
    first = transport.recording, line, transport.marking
    transport.show(short_flight(), Timeline(can_live=False), Marking(Flight()))
    assert transport.markers == ()
    transport.show(*first)
    transport.delete_marker()
    assert [marker.t for marker in transport.markers] == [7.0]
    transport.undo_marking()
    assert [marker.t for marker in transport.markers] == [3.0, 7.0]
