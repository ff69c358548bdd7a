"""Flight mode spans: which mode was chosen from when to when."""

import numpy as np

from telemetry.recording.recording import Recording

ModeSpan = tuple[float, float, str]


def mode_spans(recording: Recording, end_s: float) -> list[ModeSpan]:
    """(start, end, name) of every stretch of one mode, in order; nothing where none is recorded."""
    track = recording.track("FlightStatus")
    if track is None or not track.count or not track.definition.has_field("FlightMode"):
        return []
    field = track.definition.field_named("FlightMode")
    times = track.times
    values = track.values("FlightMode")[: len(times)]
    firsts = np.concatenate(([0], np.flatnonzero(np.diff(values.astype(np.int64))) + 1))
    bounds = [*times[firsts].tolist(), max(end_s, float(times[-1]))]
    names = [field.option_text(int(values[first])) for first in firsts]
    return list(zip(bounds, bounds[1:], names, strict=False))
