"""Plot curve: what it reads from the recording for a stretch of time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telemetry.recording.recording import Recording
from telemetry.review.analysis.field_paths import FieldRef
from telemetry.review.analysis.sampling import is_sent_on_change
from telemetry.review.flights.sync import Sync
from widgets.display_units import METRIC, DisplayUnits
from widgets.plot.difference import DifferenceReader
from widgets.plot.peaks import Floats, Peaks, bucket_size
from widgets.plot.readers import Reader, is_difference, make_reader, split_path
from widgets.plot.silence import Break, Silences
from widgets.plot.time_map import flight_span, flight_times, own_span, own_time
from widgets.plot.window import Span, decimals_for

_WIDEST_OPTION = 14
_MOST_STATES = 200
_SHORTEST_PX = 2  # a silence narrower than this cannot be seen
NO_DATA = (np.empty(0), np.empty(0))


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the values of a curve amount to over a stretch of time. `slope` is per second, that of
    the straight line closest to the samples; None where there is nothing to tell it from."""

    count: int
    minimum: float
    maximum: float
    mean: float
    deviation: float
    rms: float
    slope: float | None


@dataclass(frozen=True, slots=True)
class CurveMeasurement:
    """How a curve went over a stretch of time, per second in `slope`: that of the straight line
    closest to the samples. None where there is nothing to tell it from."""

    delta: float | None
    mean: float | None
    slope: float | None


@dataclass(frozen=True, slots=True)
class EnumStretch:
    """A stretch of time during which an enum kept one option."""

    start: float
    stop: float
    level: float
    text: str


@dataclass(frozen=True, slots=True)
class CurveStyle:
    """How a curve is drawn: `width_px` 0 is the theme's. The value axis shows
    `value * gain + offset`; `axis` is one of AXES, "" for the one of the curve's unit."""

    width_px: int = 0
    gain: float = 1.0
    offset: float = 0.0
    axis: str = ""


class Curve:
    """A path plotted. It may lead nowhere until the aircraft sends the object.

    All times are those of the flight under the cursor; a curve of another log maps them.
    """

    def __init__(self, path: str, series: int) -> None:
        self.path = path
        self.series = series
        self.is_shown = True
        self.style = CurveStyle()
        self._sync: Sync | None = None
        self._recording: Recording | None = None
        self._reader: Reader | DifferenceReader | None = None
        self._less: tuple[Recording, Sync] | None = None
        self._origin: object = None
        self._peaks: Peaks | None = None
        self._silences: Silences | None = None
        self._measured: tuple[object, CurveMeasurement] | None = None
        self._units = METRIC
        self._gain, self._offset, self._unit = 1.0, 0.0, ""

    def show_in(self, units: DisplayUnits) -> None:
        """Give values in these units."""
        if units is not self._units:
            self._units, self._origin, self._measured = units, None, None

    def attach(self, recording: Recording | None, sync: Sync | None = None) -> None:
        """Read from this recording; look again if the object has appeared or changed version.

        `sync` maps the flight's time to the recording's, None if they are the same.
        """
        if recording is not self._recording or self._less is not None:
            self._less = None
            reader = make_reader(recording, self.path) if recording is not None else None
            self._read_by(recording, reader)
        if sync is not self._sync:
            self._sync, self._measured = sync, None
        self._update()

    def attach_difference(self, recording: Recording | None, other: Recording, sync: Sync) -> None:
        """Read how far another log is from this recording, whose time `sync` maps to the log's."""
        less = (other, sync)
        if recording is not self._recording or less != self._less:
            what, _ = split_path(self.path)
            self._less, self._sync = less, None
            reader = DifferenceReader(recording, other, sync, what) if recording else None
            self._read_by(recording, reader)
        self._update()

    def _read_by(
        self, recording: Recording | None, reader: Reader | DifferenceReader | None
    ) -> None:
        self._recording, self._reader = recording, reader
        self._origin, self._peaks, self._silences = None, None, None
        self._unit = ""

    def _update(self) -> None:
        if self._recording is None or self._reader is None:
            return
        self._reader.update()
        ref = self._ref
        self._gain, offset, self._unit = self._units.shown(self._reader.unit)
        self._offset = 0.0 if self.is_difference else offset
        if ref is not None and self._reader.origin is not self._origin:
            self._origin = self._reader.origin
            self._peaks = Peaks(self._column)
            self._silences = Silences(ref.track, is_held=_is_stepped(ref))
            self._measured = None
        if self._silences is not None:
            self._silences.update(self._recording)

    @property
    def _ref(self) -> FieldRef | None:
        return self._reader.base if self._reader is not None else None

    @property
    def log(self) -> str:
        """The other log that it is of; "" for the one under the cursor."""
        return split_path(self.path)[1]

    @property
    def is_difference(self) -> bool:
        """Whether it tells how far another log is from the one under the cursor."""
        return is_difference(self.path)

    @property
    def unit(self) -> str:
        """The unit of its values; empty for enums and unknown ones."""
        return self._unit

    @property
    def problem(self) -> str:
        """Why nothing can be shown, as a sentence; empty for what may yet be sent."""
        if self.log and self._recording is None:
            return f"{self.log} is not open with this flight."
        return self._reader.problem if self._reader is not None else ""

    @property
    def is_complete(self) -> bool:
        """Whether everything recorded can be shown by now; a long expression takes some time."""
        return self._reader is None or self._reader.is_complete

    @property
    def is_enum(self) -> bool:
        """Whether it is drawn as steps with options."""
        return bool(self._reader and self._reader.is_enum)

    @property
    def is_stepped(self) -> bool:
        """Whether a value holds until the next: options, settings, what is sent on change."""
        return bool(self._ref and _is_stepped(self._ref))

    @property
    def count(self) -> int:
        """How many samples there are: the curve looks the same until this moves."""
        return self._reader.count if self._reader is not None and self._ref else -1

    def _times(self, ref: FieldRef) -> Floats:
        """The recording's own times of all samples."""
        times: Floats = ref.track.times[: self.count]
        return times

    def _column(self, start: int, stop: int) -> NDArray[Any]:
        """The values of samples `start` to `stop` as they are shown."""
        column = self._reader.column(start, stop) if self._reader is not None else np.empty(0)
        if self._gain == 1.0 and self._offset == 0.0:
            return column
        return column.astype(np.float64) * self._gain + self._offset

    def _index_at(self, ref: FieldRef, t: float) -> int:
        """The sample that held at a time of the flight; -1 for none."""
        return min(ref.track.index_at(own_time(self._sync, t)), self.count - 1)

    def points(self, span: Span, columns: int, held_until: float) -> tuple[Floats, Floats]:
        """Times and values that draw `span` in `columns` pixels, reaching beyond both edges.

        Silences are empty: a NaN breaks the line. Steps hold until the next sample or as long as
        the value counts, the last one until `held_until` at most.
        """
        if self._ref is None or self._peaks is None or self._silences is None:
            return NO_DATA
        times = self._times(self._ref)
        span, held_until = own_span(self._sync, span), own_time(self._sync, held_until)
        start = max(0, int(times.searchsorted(span.start, "left")) - 1)
        stop = min(len(times), int(times.searchsorted(span.stop, "right")) + 1)
        if start >= stop:
            return NO_DATA
        pixel_s = span.length / max(1, columns)
        breaks = self._silences.breaks(start, stop, _SHORTEST_PX * pixel_s)
        ends = self._silences.held_until(held_until)
        size = bucket_size(stop - start, columns)
        runs: list[tuple[Floats, Floats]] = []
        first = self._silences.run_start(start)
        for pause in (*breaks, Break(stop, ends, ends)):
            x, y = self._peaks.read_run(times, max(start, first), pause.index, size, first)
            if self.is_stepped:
                x, y = _stepped(x, y, pause.start)
            elif len(x) == 1:  # a sample alone between silences is seen as a short dash
                x, y = np.append(x, x[0] + pixel_s), np.repeat(y, 2)
            runs.append((x, y))
            first = pause.index
        x, y = _joined(runs)
        return flight_times(self._sync, x), y

    def silences(self, span: Span, until: float) -> list[Span] | None:
        """Where in `span` there is nothing to show, the last silence until `until`; None for a
        setting, which is never silent, and for what was never sent."""
        if self._silences is None or self._ref is None or self._ref.track.definition.settings:
            return None
        own = self._silences.spans(own_span(self._sync, span), own_time(self._sync, until))
        found = (flight_span(self._sync, silence) for silence in own)
        return [silence for silence in found if silence is not None]

    def age_if_old(self, t: float) -> float | None:
        """Seconds since the sample that held at `t`, if that no longer tells what is."""
        if self._ref is None or self._silences is None:
            return None
        index = self._index_at(self._ref, t)
        if index < 0:
            return None
        sampled_s, own_s = float(self._ref.track.times[index]), own_time(self._sync, t)
        return own_s - sampled_s if self._silences.is_old(sampled_s, own_s) else None

    def text_at(self, t: float, resolution: float) -> str:
        """The value that held at `t`, with the decimals that `resolution` needs; "" before any."""
        value = self.value_at(t)
        return "" if value is None or np.isnan(value) else self._text(value, resolution)

    def widest_text(self, largest: float, resolution: float) -> str:
        """A text at least as wide as any value up to plus or minus `largest`."""
        if self._ref is not None and self.is_enum:
            return max(
                (text[:_WIDEST_OPTION] for text in self._ref.field.options), key=len, default=""
            )
        return self._text(-abs(largest), resolution)

    def _text(self, value: float, resolution: float) -> str:
        if self._ref is not None and self.is_enum:
            return self._ref.field.option_text(int(value))
        is_whole = self._reader is not None and self._reader.is_whole and self._gain == 1.0
        decimals = 0 if is_whole else min(6, decimals_for(resolution))
        text = f"{value:.{decimals}f}"
        return text if text.strip("-0.") else text.removeprefix("-")

    def value_at(self, t: float) -> float | None:
        """The number that held at `t`; None before the first sample."""
        if self._ref is None:
            return None
        index = self._index_at(self._ref, t)
        return float(self._column(index, index + 1)[0]) if index >= 0 else None

    def statistics(self, span: Span) -> Statistics | None:
        """Of the samples within `span`; None without any finite one."""
        times, values = self._finite_samples(span)
        if not len(values):
            return None
        return Statistics(
            len(values),
            float(values.min()),
            float(values.max()),
            float(values.mean()),
            float(values.std()),
            float(np.sqrt(np.mean(values * values))),
            _slope(times, values),
        )

    def measure(self, span: Span) -> CurveMeasurement:
        """How the values went over `span`; all None for an enum."""
        key = (span, self.count)
        if self._measured is None or self._measured[0] != key:
            self._measured = (key, self._measure(span))
        return self._measured[1]

    def _measure(self, span: Span) -> CurveMeasurement:
        times, values = self._finite_samples(span)
        first, last = self._current_at(span.start), self._current_at(span.stop)
        delta = None if first is None or last is None else last - first
        if not len(values) or self.is_enum:
            return CurveMeasurement(delta, None, None)
        return CurveMeasurement(delta, float(values.mean()), _slope(times, values))

    def _current_at(self, t: float) -> float | None:
        value = self.value_at(t)
        is_good = value is not None and np.isfinite(value) and self.age_if_old(t) is None
        return value if is_good else None

    def recorded(self, span: Span) -> tuple[Floats, Floats]:
        """All samples within `span` in the unit they were recorded in."""
        times, values = self.samples(span)
        return times, (values - self._offset) / self._gain

    def samples(self, span: Span) -> tuple[Floats, Floats]:
        """All samples within `span`, enums as numbers."""
        if self._ref is None:
            return NO_DATA
        own = own_span(self._sync, span)
        start, stop = (min(at, self.count) for at in self._ref.track.range(own.start, own.stop))
        times = flight_times(self._sync, self._ref.track.times[start:stop])
        return times, self._column(start, stop).astype(np.float64)

    def _finite_samples(self, span: Span) -> tuple[Floats, Floats]:
        times, values = self.samples(span)
        is_finite = np.isfinite(values)
        return times[is_finite], values[is_finite]

    def states(self, span: Span, held_until: float) -> list[EnumStretch]:
        """The options of an enum over `span`, in order, at most _MOST_STATES."""
        ref = self._ref
        if ref is None or not self.is_enum or self._silences is None:
            return []
        span, held_until = own_span(self._sync, span), own_time(self._sync, held_until)
        times = self._times(ref)
        start = max(0, int(times.searchsorted(span.start, "right")) - 1)
        stop = int(times.searchsorted(span.stop, "right"))
        values = self._column(start, stop)
        if not len(values):
            return []
        changes = (np.flatnonzero(values[1:] != values[:-1]) + 1)[:_MOST_STATES].tolist()
        ends_at = {start + change: float(times[start + change]) for change in changes}
        breaks = self._silences.breaks(start, stop, 0.0)[:_MOST_STATES]
        ends_at.update((pause.index, pause.start) for pause in breaks)
        firsts = [0, *(index - start for index in sorted(ends_at))]
        until = min(self._silences.held_until(held_until), span.stop)
        ends = [*(ends_at[index] for index in sorted(ends_at)), until]
        stretches = (
            EnumStretch(
                *self._on_flight(max(span.start, float(times[start + first])), end),
                float(values[first]),
                ref.field.option_text(int(values[first])),
            )
            for first, end in zip(firsts, ends, strict=True)
            if end > span.start
        )
        return [stretch for stretch in stretches if stretch.stop >= stretch.start]

    def _on_flight(self, start: float, stop: float) -> tuple[float, float]:
        """A stretch of the recording's own time on that of the flight."""
        times = flight_times(self._sync, np.array([start, stop]))
        return float(times[0]), float(times[1])


def _slope(times: Floats, values: Floats) -> float | None:
    """That of the straight line closest to finite samples (n,), per second."""
    apart = times - times.mean()
    squared = float(apart @ apart)
    return float(apart @ (values - values.mean())) / squared if squared > 0.0 else None


def _stepped(x: Floats, y: Floats, held_until: float) -> tuple[Floats, Floats]:
    """Hold every value until the next sample."""
    steps_x = np.append(np.repeat(x, 2)[1:], max(held_until, x[-1]))
    return steps_x, np.repeat(y, 2)


def _is_stepped(ref: FieldRef) -> bool:
    return ref.is_enum or is_sent_on_change(ref.track.definition)


def _joined(runs: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """One line of several that do not touch; times stay in order."""
    if len(runs) == 1:
        return runs[0]
    x: list[Floats] = []
    y: list[Floats] = []
    for run_x, run_y in runs:
        x += [run_x, run_x[-1:]]
        y += [run_y, np.array([np.nan])]
    return np.concatenate(x[:-1]), np.concatenate(y[:-1])
