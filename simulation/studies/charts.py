"""Charts of a report: diagrams and bars as inline SVG, coloured by the style sheet of its page."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simulation.scenarios.figure import Axes, FigureSeries
from simulation.studies.statistics import Interval
from telemetry.base.escaping import markup_attribute, markup_text
from telemetry.base.number_text import significant, ticks

STYLE: Final = """
:root{--s0:#1f6fb4;--s1:#b3261e;--s2:#8a5a00;--s3:#7a3e9d;--s4:#1a7f37;--s5:#59636e;--grid:#d8dee6}
@media(prefers-color-scheme:dark){:root{--s0:#5aa9ff;--s1:#ff7b72;--s2:#f0b849;--s3:#c79bf0;
--s4:#46d08f;--s5:#9aa8b8;--grid:#2f3945}}
svg{max-width:100%;height:auto}svg.scale{max-width:none}
svg text{fill:currentColor;font-size:12px}svg .title{font-weight:600}
svg .grid{stroke:var(--grid)}svg .line{fill:none;stroke-width:1.6}svg .dashed{stroke-dasharray:5 4}
svg .dots{fill:none;stroke-width:5;stroke-linecap:round;stroke-opacity:.55}
svg .bar{fill:var(--s0);fill-opacity:.45}svg .whisker{stroke:currentColor;stroke-width:1.4}
""" + "".join(f"svg .s{n}{{stroke:var(--s{n})}}" for n in range(6))
_WIDTH, _HEIGHT = 460, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 58.0, 12.0, 44.0, 44.0
_BAR_WIDTH, _BAR_HEIGHT = 220.0, 20.0
_MARKS: Final = {"line": "\u2014", "dashed": "- -", "dots": "\u2022"}
_LONGEST_TITLE: Final = 70

Points = npt.NDArray[np.float64]


class _Frame(NamedTuple):
    """Where numbers of a diagram are in its picture."""

    left: float
    right: float
    low: float
    high: float

    def across(self, x: Points) -> Points:
        share = (x - self.left) / (self.right - self.left)
        return np.asarray(_LEFT + share * (_WIDTH - _LEFT - _RIGHT))

    def up(self, y: Points) -> Points:
        share = (y - self.low) / (self.high - self.low)
        return np.asarray(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM))


def diagram(axes: Axes) -> str:
    """One diagram as an SVG element."""
    frame = _Frame(
        *_span(one.x for one in axes.series),
        *_span(one.y for one in axes.series),
    )
    drawn = [_series(one, number, frame) for number, one in enumerate(axes.series)]
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    return (
        f'<svg role="img" aria-label={markup_attribute(axes.title)} {size}>'
        f"{_grid(frame)}{_words(axes)}{''.join(drawn)}</svg>"
    )


def bar(interval: Interval, low: float, high: float) -> str:
    """A value as a bar from 0, its interval as a whisker, on a scale from `low` to `high`."""

    def at(value: float) -> float:
        return _BAR_WIDTH * (min(max(value, low), high) - low) / (high - low)

    middle, zero = 0.5 * _BAR_HEIGHT, at(0.0)
    start, end = sorted((zero, at(interval.value)))
    parts = [
        f'<path class=grid d="M{zero:.1f} 0V{_BAR_HEIGHT:g}"/>',
        f'<rect class=bar x="{start:.1f}" y="4" width="{end - start:.1f}" height="12"/>',
    ]
    if np.isfinite(interval.half_width):
        left, right = at(interval.low), at(interval.high)
        whisker = f"M{left:.1f} {middle - 4:g}v8m0-4H{right:.1f}m0-4v8"
        parts.append(f'<path class=whisker fill="none" d="{whisker}"/>')
    return (
        f'<svg class=scale aria-hidden="true" viewBox="-1 0 {_BAR_WIDTH + 2:g} {_BAR_HEIGHT:g}"'
        f' width="{_BAR_WIDTH:g}" height="{_BAR_HEIGHT:g}">{"".join(parts)}</svg>'
    )


def _span(columns: Iterable[Points]) -> tuple[float, float]:
    """From the least to the most, with room at both ends."""
    all_of = np.concatenate([np.zeros(0), *columns])
    known = all_of[np.isfinite(all_of)]
    if not len(known):
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    room = max(0.04 * (high - low), 1e-3 * max(abs(low), abs(high)), 1e-9)
    return (low if low == 0.0 else low - room), high + room


def _grid(frame: _Frame) -> str:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = []
    for value in ticks(frame.left, frame.right):
        x = float(frame.across(np.array(value)))
        parts.append(f'<path class=grid d="M{x:.1f} {_TOP:g}V{bottom:g}"/>')
        number = significant(value, 5)
        parts.append(f'<text x="{x:.1f}" y="{bottom + 15:g}" text-anchor="middle">{number}</text>')
    for value in ticks(frame.low, frame.high):
        y = float(frame.up(np.array(value)))
        parts.append(f'<path class=grid d="M{_LEFT:g} {y:.1f}H{right:g}"/>')
        number = significant(value, 5)
        parts.append(f'<text x="{_LEFT - 5:g}" y="{y + 4:.1f}" text-anchor="end">{number}</text>')
    return "".join(parts)


def _words(axes: Axes) -> str:
    """Title, what the lines are, and what is along the axes."""
    spans = "".join(
        f'<tspan style="fill:var(--s{number % 6})">{_MARKS[one.style]}</tspan>'
        f" {markup_text(one.label)}&#160;&#160; "
        for number, one in enumerate(axes.series)
    )
    middle, half = 0.5 * (_LEFT + _WIDTH - _RIGHT), 0.5 * (_TOP + _HEIGHT - _BOTTOM)
    return (
        f'<text class=title x="{_LEFT:g}" y="14">{_short(axes.title)}</text>'
        f'<text x="{_LEFT:g}" y="34">{spans}</text>'
        f'<text x="{middle:g}" y="{_HEIGHT - 8}" text-anchor="middle">{_short(axes.x_label)}</text>'
        f'<text transform="translate(12 {half:g})rotate(-90)" text-anchor="middle">'
        f"{_short(axes.y_label, 34)}</text>"
    )


def _short(text: str, longest: int = _LONGEST_TITLE) -> str:
    """As much of it as there is room for, the whole under the mouse."""
    if len(text) <= longest:
        return markup_text(text)
    half = longest // 2
    return f"<title>{markup_text(text)}</title>{markup_text(f'{text[:half]}…{text[-half:]}')}"


def _series(one: FigureSeries, number: int, frame: _Frame) -> str:
    known = np.isfinite(one.x) & np.isfinite(one.y)
    points = zip(frame.across(one.x[known]), frame.up(one.y[known]), strict=True)
    if one.style == "dots":
        steps = [f"M{x:.1f} {y:.1f}h0" for x, y in points]
    else:
        goes_on = np.concatenate([[False], known[:-1]])[known]
        pens = np.where(goes_on, "L", "M")
        steps = [f"{pen}{x:.1f} {y:.1f}" for pen, (x, y) in zip(pens, points, strict=True)]
    style = {"line": "line", "dashed": "line dashed", "dots": "dots"}[one.style]
    return f'<path class="{style} s{number % 6}" d="{"".join(steps)}"/>'
