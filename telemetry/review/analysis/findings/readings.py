"""Field readings: a field over time in SI units, whatever name its release has for the object."""

from typing import NamedTuple

import numpy as np

from telemetry.recording.flight_state import CENTI_UNITS
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.stretches import Floats


class Readings(NamedTuple):
    """Values (n,) or, for a field of several elements, (n, elements), at times (n,) in seconds."""

    times: Floats
    values: Floats

    def at(self, times: Floats, otherwise: float = np.nan) -> Floats:
        """The values that held at these times; `otherwise` before the first. For one element."""
        if not len(self.times):
            return np.full(len(times), otherwise)
        index = np.searchsorted(self.times, times, "right") - 1
        held: Floats = np.where(index >= 0, self.values[np.maximum(index, 0)], otherwise)
        return held

    def between(self, start: float, end: float) -> "Readings":
        """Those within [start, end]."""
        first, last = np.searchsorted(self.times, (start, end + 1e-9))
        return Readings(self.times[first:last], self.values[first:last])


NOTHING = Readings(np.empty(0), np.empty(0))


def read(
    recording: Recording, names: tuple[str, ...], name: str, end_s: float = np.inf
) -> Readings:
    """Field `name` ("Field" or "Field.element") of the first of these objects that has it; what
    is not finite is left out of fields of one element. Nothing was recorded: NOTHING."""
    for object_name in names:
        track = recording.track(object_name)
        field_name = name.partition(".")[0]
        if track is None or not track.definition.has_field(field_name):
            continue
        times, raw = recording.series(f"{object_name}.{name}", None, end_s)
        if not len(times):
            continue
        values = np.asarray(raw, np.float64)
        if track.definition.field_named(field_name).units in CENTI_UNITS:
            values = values / 100.0
        if values.ndim == 1 and not np.isfinite(values).all():
            is_known = np.isfinite(values)
            times, values = times[is_known], values[is_known]
        return Readings(times, values)
    return NOTHING
