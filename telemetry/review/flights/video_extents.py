"""Video extents: which time of a flight a video covers."""

from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Sync

_JOINED_S = 0.02
"""Less than a frame: nothing is missing."""


def video_extents(video: FlightVideo) -> tuple[tuple[float, float], ...]:
    """The spans of flight time (start, end) in which there is a picture, in order, without the
    gaps between the files of a loop recording or the clips of a joined video, which may be joined
    in any order; none while synchronisation or length is unknown."""
    if video.sync is None or video.duration_s is None:
        return ()
    return flight_spans(video.sync, video.duration_s)


def flight_spans(sync: Sync, duration_s: float) -> tuple[tuple[float, float], ...]:
    """The same of a medium that lasts so long."""
    shown = []
    for piece in sync.pieces:
        first = max(0.0, piece.medium_start_s)
        last = min(duration_s, piece.medium_end_s)
        if last > first:
            shown.append((piece.flight_s(first), piece.flight_s(last)))
    spans: list[tuple[float, float]] = []
    for start, end in sorted(shown):
        if spans and start - spans[-1][1] < _JOINED_S:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return tuple(spans)
