"""Marker editing: setting, changing and deleting a flight's markers, each undone and redone.

The markers themselves are the flight's. Where somebody else has replaced them meanwhile (another
file was read into it), what was done before can no longer be undone.
"""

from collections.abc import Iterable
from dataclasses import replace

from telemetry.review.flights.flight import Flight, flight_of
from telemetry.review.flights.marker import Marker, with_words
from telemetry.vehicle.vehicle import Vehicle

SAME_S = 0.05
"""Two markers so close to each other are one."""
_MOST_STEPS = 200

_Markers = tuple[Marker, ...]


class Marking:
    """Changes the markers of one flight. For the GUI thread."""

    def __init__(self, flight: Flight) -> None:
        self.flight = flight
        self._before: list[_Markers] = []
        self._undone: list[_Markers] = []
        self._known = flight.markers

    def marker_at(self, t: float) -> Marker | None:
        """The marker at this instant, the nearest of several."""
        near = [marker for marker in self.flight.markers if abs(marker.t - t) <= SAME_S]
        return min(near, key=lambda marker: abs(marker.t - t), default=None)

    def previous(self, t: float) -> Marker | None:
        """The last marker before this instant."""
        earlier = [marker for marker in self.flight.markers if marker.t < t - SAME_S]
        return earlier[-1] if earlier else None

    def add(self, t: float, text: str = "", category: str = "") -> Marker:
        """Mark an instant. Where a marker stands already, it takes the words that are not empty."""
        present = self.marker_at(t)
        if present is None:
            marker = Marker(t, text, category)
            self._set((*self.flight.markers, marker))
            return marker
        marker = replace(present, text=text or present.text, category=category or present.category)
        self.change(present, marker)
        return marker

    def write(self, t: float, words: str) -> None:
        """Mark an instant with typed words ("category: note"), or change those of the marker
        there."""
        present = self.marker_at(t)
        marker = with_words(present or Marker(t), words)
        if present is None:
            self._set((*self.flight.markers, marker))
        else:
            self.change(present, marker)

    def change(self, marker: Marker, changed: Marker) -> None:
        """Put a changed marker in the place of `marker`; one that is gone is no error."""
        markers = self.flight.markers
        self._set(tuple(changed if one == marker else one for one in markers))

    def delete(self, markers: Iterable[Marker]) -> None:
        """Take markers away; those that are gone are no error."""
        unwanted = set(markers)
        self._set(tuple(one for one in self.flight.markers if one not in unwanted))

    def undo(self) -> bool:
        """Take the last change back; False if there is none."""
        return self._go(self._before, self._undone)

    def redo(self) -> bool:
        """Do again what was taken back last; False if there is nothing."""
        return self._go(self._undone, self._before)

    def _set(self, markers: _Markers) -> None:
        self._forget_if_replaced()
        before = self.flight.markers
        markers = tuple(sorted(markers))
        if markers == before:
            return
        self.flight.markers = self._known = markers
        self._before = [*self._before, before][-_MOST_STEPS:]
        self._undone = []

    def _go(self, taken: list[_Markers], kept: list[_Markers]) -> bool:
        self._forget_if_replaced()
        if not taken:
            return False
        kept.append(self.flight.markers)
        self.flight.markers = taken.pop()
        self._known = self.flight.markers
        return True

    def _forget_if_replaced(self) -> None:
        if self.flight.markers != self._known:
            self._before.clear()
            self._undone.clear()


def marking_of(vehicle: Vehicle) -> Marking:
    """What changes the markers of this vehicle's flight, the same for everybody who asks."""
    return vehicle.attachment("flight.marking", lambda: Marking(flight_of(vehicle)))
