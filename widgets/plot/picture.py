"""Plot picture: what is painted, and where on the screen it lies."""

from dataclasses import dataclass, field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from widgets.plot.peaks import Floats
from widgets.plot.window import Span
from widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class EventMark:
    """A thin line at an instant, with a short text and the token of its colour.

    Where not all texts find room, those that come first by `is_major` are written.
    """

    t: float
    text: str
    color: str = "muted"
    is_major: bool = True


@dataclass(frozen=True, slots=True)
class StateMark:
    """A text along a stretch of an enum curve at a height of the value axis."""

    start: float
    stop: float
    height: float
    text: str
    color: QColor


@dataclass(frozen=True, slots=True)
class AxisScale:
    """What a value axis shows; without a colour of its own it is that of all axes."""

    name: str
    unit: str
    span: Span
    color: QColor | None = None

    @property
    def is_left(self) -> bool:
        """On which side of the plot it stands."""
        return self.name.startswith("left")


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A curve ready to be painted: times in order, NaN values where it is broken. `width_px` 0 is
    the theme's."""

    x: Floats
    y: Floats
    color: QColor
    width_px: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything a plot paints. `states` are written along enum curves. `values` are those of the
    first of the `axes`, by which heights are told; `bands` stand below the curves.

    Without a cursor there is nothing to read, and neither grid nor labels are painted.
    """

    time: Span
    values: Span
    cursor: float | None = None
    has_value_grid: bool = True
    has_value_labels: bool = True
    events: tuple[EventMark, ...] = ()
    states: tuple[StateMark, ...] = field(default=(), compare=False)
    silences: tuple[Span, ...] = ()
    measured: Span | None = None
    axes: tuple[AxisScale, ...] = ()
    bands: tuple[tuple[StateMark, ...], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture laid into `area`, the pixels in which curves are drawn; each of its bands takes
    `band_px` below."""

    picture: Picture
    area: QRectF
    theme: Theme
    band_px: int = 0

    @property
    def foot(self) -> float:
        """The pixel row below curves and bands, at which the time axis stands."""
        return self.area.bottom() + len(self.picture.bands) * self.band_px

    def x_of(self, t: float) -> float:
        """The pixel column of a time."""
        span = self.picture.time
        return self.area.left() + (t - span.start) / span.length * self.area.width()

    def y_of(self, value: float) -> float:
        """The pixel row of a value."""
        span = self.picture.values
        return self.area.bottom() - (value - span.start) / span.length * self.area.height()

    def columns_of(self, times: Floats) -> Floats:
        """The pixel columns of many times."""
        span = self.picture.time
        return self.area.left() + (times - span.start) * (self.area.width() / span.length)

    def rows_of(self, values: Floats) -> Floats:
        """The pixel rows of many values."""
        span = self.picture.values
        return self.area.bottom() - (values - span.start) * (self.area.height() / span.length)

    def time_at(self, x: float) -> float:
        """The time at a pixel column."""
        span, width = self.picture.time, max(1.0, self.area.width())
        return span.start + (x - self.area.left()) / width * span.length

    def value_at(self, y: float) -> float:
        """The value at a pixel row."""
        span, height = self.picture.values, max(1.0, self.area.height())
        return span.start + (self.area.bottom() - y) / height * span.length
