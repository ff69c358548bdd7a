"""XY plot data: one value over another, for a stretch of time. No Qt."""

from dataclasses import dataclass

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.review.analysis.sampling import held_values, silence_limit_s
from widgets.plot.peaks import Floats, Indices
from widgets.plot.readers import Reader, make_reader
from widgets.plot.window import Span


@dataclass(frozen=True, slots=True, eq=False)
class XyPoints:
    """Values (n,) at times (n,) in order. NaN in `x` or `y` breaks the line; `color` is None where
    nothing was chosen for it."""

    times: Floats
    x: Floats
    y: Floats
    color: Floats | None

    def at(self, t: float) -> tuple[float, float] | None:
        """Where the line was at `t`; None before it begins and where nothing is known."""
        index = int(self.times.searchsorted(t, "right")) - 1
        if index < 0 or not np.isfinite(self.x[index] + self.y[index]):
            return None
        return float(self.x[index]), float(self.y[index])


class XySource:
    """Reads two fields or expressions, and a third one for the colour, at the samples of the
    first; the others count with the last value before each."""

    def __init__(self, recording: Recording, x: str, y: str, color: str) -> None:
        paths = (x, y, color) if color else (x, y)
        self._readers = [make_reader(recording, path) for path in paths]

    def update(self) -> None:
        """Take in what was recorded since."""
        for reader in self._readers:
            reader.update()

    @property
    def problem(self) -> str:
        """Why there is nothing to show."""
        return next((reader.problem for reader in self._readers if reader.problem), "")

    @property
    def is_complete(self) -> bool:
        """Whether all that is recorded can be shown by now."""
        return all(reader.is_complete for reader in self._readers)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many samples each has: the picture is the same until these move."""
        return tuple(reader.count for reader in self._readers)

    @property
    def units(self) -> tuple[str, ...]:
        """Those of x, y and the colour."""
        return tuple(reader.unit for reader in self._readers)

    def points(self, span: Span) -> XyPoints | None:
        """What `span` holds; None while a field is missing."""
        first = self._readers[0]
        if first.base is None or any(reader.base is None for reader in self._readers):
            return None
        track = first.base.track
        start, stop = (min(at, first.count) for at in track.range(span.start, span.stop))
        times: Floats = track.times[start:stop]
        x = first.column(start, stop).astype(np.float64)
        y, *color = [self._at(reader, first, start, stop) for reader in self._readers[1:]]
        silent = np.flatnonzero(np.diff(times) > silence_limit_s(track)) + 1
        if len(silent):
            x[silent] = np.nan
        return XyPoints(times, x, y, color[0] if color else None)

    @staticmethod
    def _at(reader: Reader, first: Reader, start: int, stop: int) -> Floats:
        base, times = reader.base, first.base
        if base is None or times is None:
            raise AssertionError
        if base.track is times.track:
            own = reader.column(start, stop).astype(np.float64)
            return np.append(own, np.full(stop - start - len(own), np.nan))
        column = reader.column(0, reader.count)
        return held_values(base.track, column, times.track.times[start:stop])


def thinned(columns: Floats, rows: Floats) -> Indices:
    """Which of many points (n,) in pixels are worth painting: those that do not lie on the pixel
    of the one before, and every break."""
    across, down = np.floor(columns), np.floor(rows)
    moved = (np.diff(across) != 0.0) | (np.diff(down) != 0.0)
    kept: Indices = np.flatnonzero(np.append(True, moved))
    return kept


def color_levels(values: Floats, count: int) -> tuple[Indices, Span | None]:
    """The level, 0 to `count` - 1, of each value (n,) between the lowest and the highest, -1 for
    none; and those two."""
    known = np.isfinite(values)
    if not known.any():
        return np.full(len(values), -1), None
    low, high = float(values[known].min()), float(values[known].max())
    share = (values - low) / (high - low) if high > low else np.where(known, 0.5, np.nan)
    levels = np.where(known, np.nan_to_num(np.floor(share * count)), -1).astype(np.int64)
    return np.minimum(levels, count - 1), Span(low, high)
