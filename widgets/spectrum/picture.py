"""Spectrum picture: lines of decibels over frequency, or a map of them."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from widgets.plot.window import Span
from widgets.spectrum.frequency_scale import Floats, FrequencyScale

TIME = "Time"
"""What a spectrogram goes across, by its axis; anything else is in percent."""
MAP_RANGE_DB = 60.0
_NOTHING = -1


@dataclass(frozen=True, slots=True)
class PeakLabel:
    """A peak to be marked: where it is, how high, and what is written there."""

    frequency_hz: float
    level_db: float
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumLine:
    """Decibels (n,) at frequencies (n,) in Hz, in the colour of curve `series`."""

    name: str
    series: int
    frequencies: Floats
    level_db: Floats
    peaks: tuple[PeakLabel, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumImage:
    """Decibels (n, m) of n columns between `edges` (n + 1,), at frequencies (m,); NaN: no data."""

    edges: Floats
    frequencies: Floats
    level_db: Floats

    @property
    def levels(self) -> Span:
        """From the colour of the faintest to that of the strongest."""
        known = self.level_db[np.isfinite(self.level_db)]
        if not len(known):
            return Span(0.0, 1.0)
        top = float(np.quantile(known, 0.999))
        low = max(float(np.quantile(known, 0.05)), top - MAP_RANGE_DB)
        return Span(min(low, top - 1.0), top)

    def cell(self, at: float, hz: float) -> float:
        """Decibels at a place; NaN where nothing is known."""
        column = int(np.searchsorted(self.edges, at, "right")) - 1
        if not 0 <= column < len(self.level_db):
            return float("nan")
        return float(self.level_db[column, int(np.argmin(np.abs(self.frequencies - hz)))])


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumPicture:
    """Lines over frequency, or an image of frequency over time or throttle. `unit` is that of the
    signal, `usable_hz` the highest frequency it can show, `notice` stands in an empty chart."""

    scale: FrequencyScale
    lines: tuple[SpectrumLine, ...] = ()
    image: SpectrumImage | None = None
    across: str = ""
    unit: str = ""
    usable_hz: float = float("inf")
    notice: str = ""
    levels: Span = field(default_factory=lambda: Span(-60.0, 0.0))


def shaded(
    image: SpectrumImage, scale: FrequencyScale, width: int, height: int, steps: int
) -> npt.NDArray[np.int64]:
    """The shade (height, width), 0 to steps - 1, of each pixel, high frequencies first; -1 where
    nothing is known. A pixel has the strongest of the lines that fall on it, so that no tone is
    lost between two."""
    borders = scale.frequency(np.linspace(1.0, 0.0, height + 1))
    near = np.searchsorted(_middles(image.frequencies), borders)
    low, high = near[1:], np.maximum(near[:-1], near[1:] + 1)
    columns = np.searchsorted(
        image.edges, np.linspace(float(image.edges[0]), float(image.edges[-1]), width + 1), "right"
    )
    first = np.clip(columns[:-1] - 1, 0, len(image.level_db) - 1)
    last = np.clip(np.maximum(columns[1:] - 1, first + 1), first + 1, len(image.level_db))
    by_row = _strongest(image.level_db.T, low, high)
    levels = _strongest(by_row.T, first, last).T
    span = image.levels
    shade = np.clip((levels - span.start) / span.length * steps, 0, steps - 1)
    return np.where(np.isfinite(levels), np.nan_to_num(shade), _NOTHING).astype(np.int64)


def _middles(frequencies: Floats) -> Floats:
    return np.asarray((frequencies[1:] + frequencies[:-1]) / 2.0)


def _strongest(rows: Floats, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]) -> Floats:
    """The greatest of rows [first, last) for each of n intervals, without what is unknown."""
    first = np.clip(first, 0, len(rows) - 1)
    filled = np.where(np.isnan(rows), -np.inf, rows)
    padded = np.concatenate([filled, np.full((1, filled.shape[1]), -np.inf)])
    bounds = np.column_stack([first, np.clip(last, first + 1, len(rows))]).ravel()
    strongest = np.maximum.reduceat(padded, bounds, axis=0)[::2]
    return np.where(np.isinf(strongest), np.nan, strongest)
