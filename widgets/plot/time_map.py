"""Time map: times of another log on the time of the flight under the cursor, and back."""

import numpy as np

from telemetry.review.flights.sync import Sync
from widgets.plot.peaks import Floats
from widgets.plot.window import Span


def own_time(sync: Sync | None, t: float) -> float:
    """The log's own time at `t` of the flight; in a gap between two pieces that of the later one's
    beginning."""
    if sync is None:
        return t
    for piece in sync.pieces:
        own = piece.medium_s(t)
        if own < piece.medium_end_s:
            return max(own, piece.medium_start_s)
    return sync.pieces[-1].medium_end_s


def own_span(sync: Sync | None, span: Span) -> Span:
    """The log's own time over `span` of the flight."""
    if sync is None:
        return span
    start = own_time(sync, span.start)
    return Span(start, max(own_time(sync, span.stop), np.nextafter(start, np.inf)))


def log_times(sync: Sync, flight: Floats) -> Floats:
    """Times (n,) of the flight on that of the log; NaN in a gap between two pieces."""
    times = np.full(len(flight), np.nan)
    for piece in sync.pieces:
        own = piece.offset_s + piece.rate * flight
        covered = (own >= piece.medium_start_s) & (own < piece.medium_end_s)
        times[covered] = own[covered]
    return times


def flight_times(sync: Sync | None, own: Floats) -> Floats:
    """Times (n,) of the log on that of the flight; NaN where no piece is valid."""
    if sync is None:
        return own
    if len(sync.pieces) == 1:
        piece = sync.pieces[0]
        line: Floats = (own - piece.offset_s) / piece.rate
        return line
    times = np.full(len(own), np.nan)
    for piece in sync.pieces:
        covered = (own >= piece.medium_start_s) & (own < piece.medium_end_s)
        times[covered] = (own[covered] - piece.offset_s) / piece.rate
    return times


def flight_span(sync: Sync | None, own: Span) -> Span | None:
    """A stretch of the log on the time of the flight; None where no piece is valid."""
    start, stop = flight_times(sync, np.array([own.start, own.stop]))
    return Span(float(start), float(stop)) if stop > start else None
