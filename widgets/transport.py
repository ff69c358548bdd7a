"""Transport of a vehicle's timeline: what the bar's buttons and the keys do."""

import numpy as np

from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import MAX_RATE, Timeline
from telemetry.review.flights.marker import titled
from telemetry.review.flights.marker_editing import Marking

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)


class Transport:
    """Moves one timeline over one recording; both may be exchanged at any time."""

    def __init__(self) -> None:
        self.recording: Recording | None = None
        self.timeline: Timeline | None = None
        self.marking: Marking | None = None

    def show(
        self,
        recording: Recording | None,
        timeline: Timeline | None,
        marking: Marking | None = None,
    ) -> None:
        """Move this timeline over this recording, and mark this flight, from now on."""
        self.recording, self.timeline, self.marking = recording, timeline, marking

    @property
    def markers(self) -> tuple[Event, ...]:
        """The markers set in this flight as events, in order of time."""
        markers = self.marking.flight.markers if self.marking else ()
        return tuple(
            Event(marker.t, "marker", Level.INFO, words) for marker, words in titled(markers)
        )

    def toggle(self) -> None:
        """Play if paused, else pause."""
        if self.timeline:
            self.timeline.toggle()

    def pause(self) -> None:
        """Stand still."""
        if self.timeline:
            self.timeline.pause()

    def play(self, direction: int) -> None:
        """Play forwards (1) or backwards (-1); faster each time if it already does."""
        line = self.timeline
        if line is None:
            return
        if line.mode == "live":
            if direction > 0:
                return
            line.pause()
            line.set_rate(-1.0)
        elif line.mode == "playing" and line.rate * direction > 0:
            line.set_rate(line.rate * 2)
        else:
            line.set_rate(direction * 1.0)
        line.play()

    def set_speed(self, speed: float) -> None:
        """Set how fast it plays, whichever way."""
        if self.timeline:
            self.timeline.set_rate(speed if self.timeline.rate >= 0 else -speed)

    def change_speed(self, direction: int) -> None:
        """Take the next faster (1) or slower (-1) of the usual speeds."""
        if self.timeline is None:
            return
        present = abs(self.timeline.rate)
        if direction > 0:
            faster = [speed for speed in SPEEDS if speed > present * 1.001]
            self.set_speed(faster[0] if faster else MAX_RATE)
        else:
            slower = [speed for speed in SPEEDS if speed < present * 0.999]
            self.set_speed(slower[-1] if slower else SPEEDS[0])

    def step_s(self, seconds: float) -> None:
        """Go on (negative: back) and stand still."""
        if self.timeline:
            self.timeline.step_s(seconds)

    def step_sample(self, direction: int) -> None:
        """Go to the next (1) or previous (-1) instant at which anything was recorded."""
        if self.timeline is None or self.recording is None:
            return
        t = neighbour_s(self.recording, self.timeline.t, direction)
        if t is not None:
            self.timeline.pause()
            self.timeline.seek(t)

    def go_to_start(self) -> None:
        """Go to the first sample."""
        if self.timeline and self.recording:
            self.timeline.seek(self.recording.first_s)

    def go_to_end(self) -> None:
        """Go to the newest sample: live again where that is possible."""
        if self.timeline:
            self.timeline.go_live()

    def set_in(self) -> None:
        """Begin the selected stretch at the cursor."""
        if self.timeline:
            self.timeline.set_in(self.timeline.t)

    def set_out(self) -> None:
        """End the selected stretch at the cursor."""
        if self.timeline:
            self.timeline.set_out(self.timeline.t)

    def clear_selection(self) -> None:
        """Select no stretch, and repeat none."""
        if self.timeline:
            self.timeline.clear_selection()

    def toggle_loop(self) -> None:
        """Repeat the selected stretch, or go on to the end again."""
        if self.timeline:
            self.timeline.is_looping = not self.timeline.is_looping

    def add_marker(self, category: str = "") -> None:
        """Mark the cursor's instant; a marker that stands there takes the category."""
        if self.timeline and self.marking:
            self.marking.add(self.timeline.t, category=category)

    def delete_marker(self) -> None:
        """Take the marker at the cursor away."""
        marker = self.marking.marker_at(self.timeline.t) if self.timeline and self.marking else None
        if self.marking and marker:
            self.marking.delete([marker])

    def undo_marking(self) -> None:
        """Take the last change of a marker back."""
        if self.marking:
            self.marking.undo()

    def go_to_previous_marker(self) -> None:
        """Go back to the marker before the cursor."""
        if self.timeline and self.marking and (last := self.marking.previous(self.timeline.t)):
            self.timeline.seek(last.t)


def neighbour_s(recording: Recording, t: float, direction: int) -> float | None:
    """The nearest time after (1) or before (-1) `t` at which a sample was recorded."""
    found: list[float] = []
    for track in recording.tracks():
        times = track.times
        if direction > 0:
            index = int(np.searchsorted(times, t + 1e-9, side="right"))
            if index < len(times):
                found.append(float(times[index]))
        else:
            index = int(np.searchsorted(times, t - 1e-9, side="left")) - 1
            if index >= 0:
                found.append(float(times[index]))
    if not found:
        return None
    return min(found) if direction > 0 else max(found)
