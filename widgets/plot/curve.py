"""One curve of a plot: what it reads from the recording for a stretch of time."""

from dataclasses import dataclass

import numpy as np

from telemetry.analysis.field_paths import FieldRef, find_field
from telemetry.analysis.sampling import is_sent_on_change
from telemetry.measurement_units import short_unit
from telemetry.recording.recording import Recording
from widgets.plot.peaks import Floats, Peaks, bucket_size
from widgets.plot.silence import Break, Silences
from widgets.plot.window import Span, decimals_for

_WIDEST_OPTION = 14
_SHORTEST_PX = 2  # a silence narrower than this cannot be seen
NO_DATA = (np.empty(0), np.empty(0))


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the values of a curve amount to over a stretch of time."""

    count: int
    minimum: float
    maximum: float
    mean: float
    deviation: float


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


class Curve:
    """A path plotted. It may lead nowhere until the aircraft sends the object."""

    def __init__(self, path: str, series: int) -> None:
        self.path = path
        self.series = series
        self.is_shown = True
        self._recording: Recording | None = None
        self._ref: FieldRef | None = None
        self._peaks: Peaks | None = None
        self._silences: Silences | None = None
        self._measured: tuple[object, CurveMeasurement] | None = None

    def attach(self, recording: Recording | None) -> None:
        """Read from this recording; look again if the object has appeared or changed version."""
        if recording is None:
            self._recording, self._ref, self._peaks, self._silences = None, None, None, None
            return
        self._recording = recording
        ref = find_field(recording, self.path)
        if ref is not None and (self._ref is None or ref.track is not self._ref.track):
            self._peaks = Peaks(self._column)
            self._silences = Silences(ref.track, is_held=_is_stepped(ref))
            self._measured = None
        self._ref = ref
        if self._silences is not None:
            self._silences.update(recording)

    def _column(self, start: int, stop: int) -> Floats:
        ref = self._ref
        if ref is None:
            return np.empty(0)
        values: Floats = ref.track.values(ref.field.name, ref.element, start, stop)
        return values

    @property
    def unit(self) -> str:
        """The unit of its values; empty for enums and unknown ones."""
        return short_unit(self._ref.field.units) if self._ref and not self._ref.is_enum else ""

    @property
    def is_enum(self) -> bool:
        """Whether it is drawn as steps with options."""
        return bool(self._ref and self._ref.is_enum)

    @property
    def is_stepped(self) -> bool:
        """Whether a value holds until the next: options, settings, what is sent on change."""
        return bool(self._ref and _is_stepped(self._ref))

    @property
    def count(self) -> int:
        """How many samples there are: the curve looks the same until this moves."""
        return self._ref.track.count if self._ref else -1

    def points(self, span: Span, columns: int, held_until: float) -> tuple[Floats, Floats]:
        """Times and values that draw `span` in `columns` pixels, reaching beyond both edges.

        Silences are empty: a NaN breaks the line. Steps hold until the next sample or as long as
        the value counts, the last one until `held_until` at most.
        """
        if self._ref is None or self._peaks is None or self._silences is None:
            return NO_DATA
        times = self._ref.track.times
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
        return _joined(runs)

    def silences(self, span: Span, until: float) -> list[Span] | None:
        """Where in `span` there is nothing to show, the last silence until `until`; None for a
        setting, which is never silent, and for what was never sent."""
        if self._silences is None or self._ref is None or self._ref.track.definition.settings:
            return None
        return self._silences.spans(span, until)

    def age_if_old(self, t: float) -> float | None:
        """Seconds since the sample that held at `t`, if that no longer tells what is."""
        if self._ref is None or self._silences is None:
            return None
        index = self._ref.track.index_at(t)
        if index < 0:
            return None
        sampled_s = float(self._ref.track.times[index])
        return t - sampled_s if self._silences.is_old(sampled_s, t) else None

    def text_at(self, t: float, resolution: float) -> str:
        """The value that held at `t`, with the decimals that `resolution` needs; "" before any."""
        value = self.value_at(t)
        return "" if value is None else self._text(value, resolution)

    def widest_text(self, largest: float, resolution: float) -> str:
        """A text at least as wide as any value up to plus or minus `largest`."""
        if self._ref is not None and self._ref.is_enum:
            return max(
                (text[:_WIDEST_OPTION] for text in self._ref.field.options), key=len, default=""
            )
        return self._text(-abs(largest), resolution)

    def _text(self, value: float, resolution: float) -> str:
        if self._ref is not None and self._ref.is_enum:
            return self._ref.field.option_text(int(value))
        decimals = 0 if self._ref and self._ref.is_whole else min(6, decimals_for(resolution))
        text = f"{value:.{decimals}f}"
        return text if text.strip("-0.") else text.removeprefix("-")

    def value_at(self, t: float) -> float | None:
        """The number that held at `t`; None before the first sample."""
        if self._ref is None:
            return None
        index = self._ref.track.index_at(t)
        return float(self._column(index, index + 1)[0]) if index >= 0 else None

    def statistics(self, span: Span) -> Statistics | None:
        """Of the samples within `span`; None without any finite one."""
        _, values = self.samples(span)
        values = values[np.isfinite(values)]
        if not len(values):
            return None
        return Statistics(
            len(values),
            float(values.min()),
            float(values.max()),
            float(values.mean()),
            float(values.std()),
        )

    def measure(self, span: Span) -> CurveMeasurement:
        """How the values went over `span`; all None for an enum."""
        key = (span, self.count)
        if self._measured is None or self._measured[0] != key:
            self._measured = (key, self._measure(span))
        return self._measured[1]

    def _measure(self, span: Span) -> CurveMeasurement:
        times, values = self.samples(span)
        is_finite = np.isfinite(values)
        times, values = times[is_finite], values[is_finite]
        first, last = self._current_at(span.start), self._current_at(span.stop)
        delta = None if first is None or last is None else last - first
        if not len(values) or self.is_enum:
            return CurveMeasurement(delta, None, None)
        mean = float(values.mean())
        apart = times - times.mean()
        squared = float(apart @ apart)
        slope = float(apart @ (values - mean)) / squared if squared > 0.0 else None
        return CurveMeasurement(delta, mean, slope)

    def _current_at(self, t: float) -> float | None:
        value = self.value_at(t)
        is_good = value is not None and np.isfinite(value) and self.age_if_old(t) is None
        return value if is_good else None

    def samples(self, span: Span) -> tuple[Floats, Floats]:
        """All samples within `span`, enums as numbers."""
        if self._ref is None:
            return NO_DATA
        start, stop = self._ref.track.range(span.start, span.stop)
        times: Floats = self._ref.track.times[start:stop]
        return times, self._column(start, stop).astype(np.float64)

    def states(self, span: Span, held_until: float, at_most: int = 200) -> list[EnumStretch]:
        """The options of an enum over `span`, in order, at most so many."""
        ref = self._ref
        if ref is None or not ref.is_enum or self._silences is None:
            return []
        times = ref.track.times
        start = max(0, int(times.searchsorted(span.start, "right")) - 1)
        stop = int(times.searchsorted(span.stop, "right"))
        values = self._column(start, stop)
        if not len(values):
            return []
        changes = (np.flatnonzero(values[1:] != values[:-1]) + 1)[:at_most].tolist()
        ends_at = {start + change: float(times[start + change]) for change in changes}
        breaks = self._silences.breaks(start, stop, 0.0)[:at_most]
        ends_at.update((pause.index, pause.start) for pause in breaks)
        firsts = [0, *(index - start for index in sorted(ends_at))]
        until = min(self._silences.held_until(held_until), span.stop)
        ends = [*(ends_at[index] for index in sorted(ends_at)), until]
        return [
            EnumStretch(
                max(span.start, float(times[start + first])),
                end,
                float(values[first]),
                ref.field.option_text(int(values[first])),
            )
            for first, end in zip(firsts, ends, strict=True)
            if end > span.start
        ]


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
