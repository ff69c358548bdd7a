"""Difference curve: how far another log is from the flight under the cursor."""

import numpy as np
from numpy.typing import NDArray

from telemetry.recording.recording import Recording
from telemetry.review.analysis.field_paths import FieldRef
from telemetry.review.analysis.sampling import is_sent_on_change, silence_limit_s
from telemetry.review.flights.sync import Sync
from widgets.plot.peaks import Floats
from widgets.plot.readers import FieldReader, Reader, make_reader
from widgets.plot.time_map import log_times

_DEGREES = "°"


class DifferenceReader:
    """What another log says less what the flight says, at the samples of the flight.

    Between two samples of the other log lies a straight line, but nothing over a silence. Angles
    of fields differ by the short way round. `problem` says why there is nothing to read.
    """

    is_enum = False
    is_whole = False
    is_complete = True

    def __init__(self, flight: Recording, other: Recording, sync: Sync, path: str) -> None:
        self.problem = ""
        self.count = 0
        self.origin: object = None
        self._flight = make_reader(flight, path)
        self._other = make_reader(other, path)
        self._sync = sync
        self._read_from: tuple[object, object] = (None, None)
        self._values: Floats = np.empty(0)

    @property
    def base(self) -> FieldRef | None:
        """The field of the flight whose samples it has."""
        return None if self.problem else self._flight.base

    @property
    def unit(self) -> str:
        """The unit of both."""
        return self._flight.unit

    def update(self) -> None:
        """Look again, and take in what both have recorded since."""
        self._flight.update()
        self._other.update()
        read_from = self._flight.origin, self._other.origin
        if any(new is not old for new, old in zip(read_from, self._read_from, strict=True)):
            self._read_from, self.origin = read_from, object()
            self.count, self._values = 0, np.empty(0)
        self.problem = self._why_none()
        if not self.problem and self._flight.base and self._other.base:
            self._append(self._flight.base, self._other.base)

    def column(self, start: int, stop: int) -> NDArray[np.generic]:
        """The differences of samples `start` to `stop`. A view: do not write."""
        return self._values[start : min(stop, self.count)]

    def _why_none(self) -> str:
        if problem := self._flight.problem or self._other.problem:
            return problem
        if self._flight.is_enum or self._other.is_enum:
            return "Options have no difference."
        if self._flight.base and self._other.base and self._flight.unit != self._other.unit:
            units = (one.unit or "no unit" for one in (self._flight, self._other))
            return "{} in this flight and {} in the other log have no difference.".format(*units)
        return ""

    def _append(self, flight: FieldRef, other: FieldRef) -> None:
        """Go on as far as the other log has come, so that nothing told has to change later."""
        recorded = other.track.times[: self._other.count]
        at = log_times(self._sync, flight.track.times[self.count : self._flight.count])
        if not len(recorded):
            return
        is_beyond = at > recorded[-1]
        at = at[: int(is_beyond.argmax())] if is_beyond.any() else at
        if not len(at):
            return
        own = self._flight.column(self.count, self.count + len(at)).astype(np.float64)
        is_angle = self.unit == _DEGREES and _are_fields(self._flight, self._other)
        turn = 360.0 if is_angle else np.inf
        found = _interpolated(other, recorded, self._other, at, turn)
        self._keep(_short_way(found - own, turn))

    def _keep(self, piece: Floats) -> None:
        stop = self.count + len(piece)
        if stop > len(self._values):
            grown = np.empty(max(stop, 2 * len(self._values)))
            grown[: self.count] = self._values[: self.count]
            self._values = grown
        self._values[self.count : stop] = piece
        self.count = stop


def _are_fields(*readers: Reader) -> bool:
    return all(isinstance(reader, FieldReader) for reader in readers)


def _short_way(difference: Floats, turn: float) -> Floats:
    """The same difference (n,) between minus and plus half a turn; infinite turns change none."""
    if np.isinf(turn):
        return difference
    short: Floats = (difference + turn / 2) % turn - turn / 2
    return short


def _interpolated(ref: FieldRef, times: Floats, reader: Reader, at: Floats, turn: float) -> Floats:
    """The values (n,) at instants of the other log, none of them beyond its end."""
    column = reader.column(0, len(times)).astype(np.float64)
    index = times.searchsorted(at, "right") - 1
    before = np.maximum(index, 0)
    after = np.minimum(before + 1, len(times) - 1)
    gap = times[after] - times[before]
    is_known = (index >= 0) & (gap <= silence_limit_s(ref.track))
    if is_sent_on_change(ref.track.definition):
        return np.where(is_known, column[before], np.nan)
    share = np.divide(at - times[before], gap, out=np.zeros(len(at)), where=gap > 0.0)
    line = column[before] + share * _short_way(column[after] - column[before], turn)
    return np.where(is_known, line, np.nan)
