"""Markers of a flight: set, changed, deleted, and all of it undone."""

from telemetry.review.flights.flight import Flight
from telemetry.review.flights.marker import Marker, titled
from telemetry.review.flights.marker_editing import Marking


def times(flight: Flight) -> list[float]:
    return [marker.t for marker in flight.markers]


def test_every_change_is_undone_and_done_again() -> None:
    flight = Flight()
    marking = Marking(flight)
    marking.add(7.0)
    marker = marking.add(3.0, "too much thrust")
    marking.change(marker, Marker(4.0, "too much thrust", "wrong"))
    marking.delete([Marker(7.0)])
    states = [flight.markers]
    while marking.undo():
        states.append(flight.markers)
    assert [len(markers) for markers in states] == [1, 2, 2, 1, 0]
    assert states[1] == (Marker(4.0, "too much thrust", "wrong"), Marker(7.0))
    while marking.redo():
        assert flight.markers == states[states.index(flight.markers)]
    assert flight.markers == states[0]
    assert flight.version > 0


def test_marking_the_same_instant_again_names_it() -> None:
    flight = Flight()
    marking = Marking(flight)
    marking.add(3.0, "first")
    marking.add(3.02, category="gust")
    assert flight.markers == (Marker(3.0, "first", "gust"),)
    assert marking.previous(3.0) is None
    assert marking.previous(3.2) == flight.markers[0]


def test_a_new_change_ends_what_could_be_done_again() -> None:
    marking = Marking(Flight())
    marking.add(1.0)
    marking.undo()
    marking.add(2.0)
    assert not marking.redo()
    assert times(marking.flight) == [2.0]


def test_markers_that_a_file_brought_are_not_undone() -> None:
    flight = Flight()
    marking = Marking(flight)
    marking.add(1.0)
    flight.markers = (Marker(5.0), Marker(6.0))
    assert not marking.undo()
    assert times(flight) == [5.0, 6.0]
    marking.delete([Marker(5.0)])
    marking.undo()
    assert times(flight) == [5.0, 6.0]


def test_a_bare_marker_has_its_number() -> None:
    markers = (Marker(1.0), Marker(2.0, "text"), Marker(3.0, "text", "gust"), Marker(4.0))
    words = [words for _, words in titled(markers)]
    assert words == ["Marker 1", "text", "gust: text", "Marker 4"]
