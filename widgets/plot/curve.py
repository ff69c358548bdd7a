"""One curve of a plot: what it reads from the recording for a stretch of time."""

from dataclasses import dataclass

import numpy as np

from telemetry.recording.recording import Recording
from widgets.plot.fields import FieldRef, find_field, short_unit
from widgets.plot.peaks import Floats, Peaks
from widgets.plot.window import Span, decimals_for

_WIDEST_OPTION = 14
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
class State:
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

    def attach(self, recording: Recording | None) -> None:
        """Read from this recording; look again if the object has appeared or changed version."""
        if recording is None:
            self._recording, self._ref, self._peaks = None, None, None
            return
        self._recording = recording
        ref = find_field(recording, self.path)
        if ref is not None and (self._ref is None or ref.track is not self._ref.track):
            self._peaks = Peaks(self._column)
        self._ref = ref

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
        """Whether a value holds until the next: options, and settings, which are sent rarely."""
        return bool(self._ref and (self._ref.is_enum or self._ref.track.definition.settings))

    @property
    def count(self) -> int:
        """How many samples there are: the curve looks the same until this moves."""
        return self._ref.track.count if self._ref else -1

    def points(self, span: Span, columns: int, held_until: float) -> tuple[Floats, Floats]:
        """Times and values that draw `span` in `columns` pixels, reaching beyond both edges.

        Enums and settings come as steps, the last of which holds until `held_until`.
        """
        if self._ref is None or self._peaks is None:
            return NO_DATA
        times = self._ref.track.times
        start = max(0, int(times.searchsorted(span.start, "left")) - 1)
        stop = min(len(times), int(times.searchsorted(span.stop, "right")) + 1)
        if start >= stop:
            return NO_DATA
        x, y = self._peaks.read(times, start, stop, columns)
        return _stepped(x, y, held_until) if self.is_stepped else (x, y)

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

    def samples(self, span: Span) -> tuple[Floats, Floats]:
        """All samples within `span`, enums as numbers."""
        if self._ref is None:
            return NO_DATA
        start, stop = self._ref.track.range(span.start, span.stop)
        times: Floats = self._ref.track.times[start:stop]
        return times, self._column(start, stop).astype(np.float64)

    def states(self, span: Span, held_until: float, at_most: int = 200) -> list[State]:
        """The options of an enum over `span`, in order, at most so many."""
        ref = self._ref
        if ref is None or not ref.is_enum:
            return []
        times = ref.track.times
        start = max(0, int(times.searchsorted(span.start, "right")) - 1)
        stop = int(times.searchsorted(span.stop, "right"))
        values = self._column(start, stop)
        if not len(values):
            return []
        changes = np.flatnonzero(values[1:] != values[:-1]) + 1
        firsts = [0, *changes[:at_most].tolist()]
        ends = [*times[start + changes[:at_most]].tolist(), min(held_until, span.stop)]
        return [
            State(
                max(span.start, float(times[start + first])),
                end,
                float(values[first]),
                ref.field.option_text(int(values[first])),
            )
            for first, end in zip(firsts, ends, strict=False)
        ]


def _stepped(x: Floats, y: Floats, held_until: float) -> tuple[Floats, Floats]:
    """Hold every value until the next sample."""
    steps_x = np.append(np.repeat(x, 2)[1:], max(held_until, x[-1]))
    return steps_x, np.repeat(y, 2)
