"""Reviewed flight: a recording as finders look at it, up to one instant, whatever its release."""

from dataclasses import dataclass, field

import numpy as np

from telemetry.recording.flight_state import armed_spans
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.airborne import airborne_spans
from telemetry.review.analysis.findings.readings import Readings, read
from telemetry.review.analysis.findings.stretches import Flags, Floats, Span, inside


@dataclass(frozen=True, slots=True, eq=False)
class ReviewedFlight:
    """What all finders need to know. `armed` and `airborne` are spans (start, end) in order;
    `airborne` is empty where nothing tells whether the aircraft flew."""

    recording: Recording
    end_s: float
    armed: tuple[Span, ...]
    airborne: tuple[Span, ...]
    gaps: tuple[Span, ...] = field(default=())

    def read(self, names: tuple[str, ...], name: str) -> Readings:
        """A field of the first of these objects that was recorded; see `readings.read`."""
        return read(self.recording, names, name, self.end_s)

    def held_until(self, times: Floats) -> Floats:
        """Until when samples at these times hold: the next one, a gap in the recording, or its
        end."""
        if not len(times):
            return times
        following = np.append(times[1:], max(self.end_s, float(times[-1])))
        gap_starts = np.array([start for start, _ in self.gaps] + [np.inf])
        next_gap = gap_starts[np.searchsorted(gap_starts[:-1], times - 1e-6)]
        held: Floats = np.minimum(following, np.maximum(next_gap, times))
        return held

    def is_airborne(self, times: Floats) -> Flags:
        """Which times lie in flight."""
        return inside(times, self.airborne)

    def is_armed(self, times: Floats) -> Flags:
        """Which times lie in a span in which the aircraft was armed."""
        return inside(times, self.armed)


def review(recording: Recording) -> ReviewedFlight:
    """A recording up to its present end."""
    end_s = recording.last_s
    armed = tuple(armed_spans(recording, end_s))
    airborne = tuple(airborne_spans(recording, armed))
    return ReviewedFlight(recording, end_s, armed, airborne, recording.gaps())
