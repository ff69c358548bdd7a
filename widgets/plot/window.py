"""Plot window: which stretch of time and values shows. Pure arithmetic."""

import math
from dataclasses import dataclass

_EDGE = 0.1
_LEAST_S = 0.01
_PADDING = 0.06
_SHRINK_BELOW = 0.55


@dataclass(frozen=True, slots=True)
class Span:
    """A closed stretch of numbers, `start` < `stop`."""

    start: float
    stop: float

    @property
    def length(self) -> float:
        """How much it covers."""
        return self.stop - self.start

    def moved(self, by: float) -> "Span":
        """The same length elsewhere."""
        return Span(self.start + by, self.stop + by)

    def zoomed(self, factor: float, at: float) -> "Span":
        """`factor` times as long, with `at` staying where it is."""
        factor = max(factor, _LEAST_S / max(self.length, 1e-12))
        return Span(at + (self.start - at) * factor, at + (self.stop - at) * factor)


def follow_cursor(
    shown: Span | None, window_s: float | None, t: float, flight: Span, *, is_live: bool
) -> Span:
    """The time to show while following the cursor with a window of `window_s` (None: all).

    Live, the window ends at the cursor. Otherwise it rests until the cursor comes close to an
    edge, so that a click moves the cursor and not the picture under the pointer.
    """
    if window_s is None:
        return Span(flight.start, max(flight.stop, flight.start + 1.0))
    if is_live:
        return Span(t - window_s, t)
    start = shown.start if shown is not None else t - window_s / 2
    start = min(max(start, t - (1 - _EDGE) * window_s), t - _EDGE * window_s)
    latest = max(flight.start, flight.stop - window_s)
    start = min(max(start, flight.start), latest)
    return Span(start, start + window_s)


LEAST_SPANS = {
    "°": 4.0,
    "°/s": 10.0,
    "m": 2.0,
    "ft": 6.0,
    "m/s": 1.0,
    "kt": 2.0,
    "mph": 2.0,
    "m/s²": 2.0,
    "V": 0.5,
    "A": 1.0,
    "%": 10.0,
    "°C": 4.0,
    "°F": 7.0,
}
"""What an axis shows at least, by unit: less is the noise of a sensor at rest."""


def fit_values(shown: Span | None, low: float, high: float, least: float = 0.0) -> Span:
    """The values to show for data between `low` and `high`, at least so many of them.

    Room is added in round steps, and taken away only when most of it lies idle, so that the
    scale rests while a signal breathes.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return shown or Span(0.0, 1.0)
    length = high - low
    if length < least:
        low, high, length = (low + high - least) / 2, (low + high + least) / 2, least
    if length <= 1e-9 * max(1.0, abs(low), abs(high)):
        length = max(abs(high) * 0.1, 1.0)
        low, high = low - length / 2, high + length / 2
    inside = shown is not None and shown.start <= low and high <= shown.stop
    if inside and shown is not None and length >= _SHRINK_BELOW * shown.length:
        return shown
    step = _round_step(length / 8)
    return Span(
        math.floor((low - _PADDING * length) / step) * step,
        math.ceil((high + _PADDING * length) / step) * step,
    )


def ticks(span: Span, wanted: int) -> tuple[list[float], float]:
    """Round values in `span`, about `wanted` of them, and the step between them."""
    step = _round_step(span.length / max(1, wanted))
    first = math.ceil(span.start / step - 1e-9)
    last = math.floor(span.stop / step + 1e-9)
    return [index * step for index in range(first, last + 1)], step


_TIME_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800)


def time_ticks(span: Span, wanted: int) -> tuple[list[float], float]:
    """Like `ticks`, at seconds, minutes and hours as clocks divide them."""
    rough = span.length / max(1, wanted)
    step = next((s for s in _TIME_STEPS if s >= rough), 3600.0 * math.ceil(rough / 3600.0))
    first, last = math.ceil(span.start / step - 1e-9), math.floor(span.stop / step + 1e-9)
    return [index * step for index in range(first, last + 1)], step


def time_label(t: float, step: float) -> str:
    """A time in a flight as m:ss or h:mm:ss, with the decimals that `step` needs."""
    decimals = 0 if step >= 1 else 1 if step >= 0.1 else 2
    sign, t = ("\u2212", -t) if t < -1e-9 else ("", abs(t))
    t = round(t, decimals)
    minutes, seconds = divmod(t, 60.0)
    hours, minutes = divmod(int(minutes), 60)
    tail = f"{seconds:0{3 + decimals if decimals else 2}.{decimals}f}"
    return f"{sign}{hours}:{minutes:02d}:{tail}" if hours else f"{sign}{minutes}:{tail}"


def decimals_for(step: float) -> int:
    """How many decimals tell values apart that differ by `step`."""
    return min(9, max(0, -math.floor(math.log10(step) + 1e-9))) if step > 0 else 0


def _round_step(rough: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below `rough`."""
    power = 10.0 ** math.floor(math.log10(max(rough, 1e-30)))
    for factor in (1.0, 2.0, 5.0):
        if factor * power >= rough * (1 - 1e-9):
            return factor * power
    return 10.0 * power
