"""Value tile: what a user watches, how it shows, and within which limits it is fine."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from operator import gt, lt
from typing import Any

from telemetry.base.finding import Level
from telemetry.base.number_text import significant
from widgets.display_units import METRIC, SENSOR_RESOLUTIONS, DisplayUnits
from widgets.plot.curve import Curve
from widgets.plot.plot_state import finite
from widgets.plot.readout import age_text

STYLES = ("digits", "bar", "word")
LONGEST_TITLE = 40
_DIGITS = 4
_MINUS = "\u2212"
_RANGE = (0.0, 100.0)
Tell = Callable[[float], str] | None


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """Below `danger_low` or above `danger_high` something is wrong, beyond the others it is worth
    a look. None is no limit."""

    danger_low: float | None = None
    caution_low: float | None = None
    caution_high: float | None = None
    danger_high: float | None = None

    def judge(self, value: float, tell: Tell = None) -> tuple[Level, str]:
        """How much a value matters, and that in words; `tell` says a limit as it is shown."""
        tell = tell or _number
        for limit, is_beyond, level, words in (
            (self.danger_low, lt, Level.ERROR, "Very low, below"),
            (self.caution_low, lt, Level.WARNING, "Low, below"),
            (self.danger_high, gt, Level.ERROR, "Very high, above"),
            (self.caution_high, gt, Level.WARNING, "High, above"),
        ):
            if limit is not None and is_beyond(value, limit):
                return level, f"{words} {tell(limit)}"
        return Level.OK, "Normal" if self.has_any else ""

    @property
    def has_any(self) -> bool:
        """Whether there is a limit."""
        return any(limit is not None for limit in self.all)

    @property
    def all(self) -> tuple[float | None, ...]:
        """From the lowest to the highest."""
        return self.danger_low, self.caution_low, self.caution_high, self.danger_high


@dataclass(frozen=True, slots=True)
class TileSpec:
    """What a tile shows. `path` is that of a field, or "=" and an expression; `low` to `high` is
    what a bar covers."""

    path: str
    style: str = "digits"
    title: str = ""
    is_wide: bool = False
    low: float = _RANGE[0]
    high: float = _RANGE[1]
    limits: ValueLimits = ValueLimits()

    def to_json(self) -> dict[str, Any]:
        """For a workspace file; what is as usual is left out."""
        usual = asdict(TileSpec(self.path))
        told = {name: value for name, value in asdict(self).items() if value != usual[name]}
        return {"path": self.path, **told}


def spec_from_json(value: Any) -> TileSpec | None:
    """Take over what fits, None for what is no tile."""
    entry = value if isinstance(value, dict) else {"path": value}
    path, style, title = entry.get("path"), entry.get("style"), entry.get("title")
    if not isinstance(path, str) or not path:
        return None
    found = entry.get("limits")
    stored = found if isinstance(found, dict) else {}
    limits = ValueLimits(**{f.name: finite(stored.get(f.name)) for f in fields(ValueLimits)})
    low, high = finite(entry.get("low")), finite(entry.get("high"))
    spec = TileSpec(
        path,
        style if style in STYLES else STYLES[0],
        title[:LONGEST_TITLE] if isinstance(title, str) else "",
        bool(entry.get("is_wide", False)),
        limits=limits,
    )
    if low is None or high is None or low >= high:
        return spec
    return replace(spec, low=low, high=high)


@dataclass(frozen=True, slots=True)
class TileReading:
    """What a tile says at one instant. `share` is how full its bar is, None for no bar."""

    text: str
    unit: str = ""
    level: Level = Level.UNKNOWN
    word: str = ""
    share: float | None = None


NO_READING = TileReading("–")


def read_tile(spec: TileSpec, curve: Curve, t: float, units: DisplayUnits = METRIC) -> TileReading:
    """What the tile says at `t`, in these units. Its limits are in the unit of the recording. A
    value that no longer tells what is says how old it is."""
    value = curve.value_at(t)
    if value is None or math.isnan(value):
        return replace(NO_READING, word=curve.problem or "Not received yet")
    age_s = curve.age_if_old(t)
    gain, offset, unit = units.shown(curve.unit)

    def tell(limit: float) -> str:
        return _number(limit * gain + offset)

    level, word = (Level.OK, "") if curve.is_enum else spec.limits.judge(value, tell)
    shown = value_text(value * gain + offset, unit)
    text = curve.text_at(t, 1.0) if curve.is_enum else shown
    if spec.style == "word" and not curve.is_enum:
        text, _, word = (word or "No limits").partition(", ")
        unit = ""
    share = (value - spec.low) / (spec.high - spec.low) if spec.style == "bar" else None
    if age_s is not None:
        level, word = Level.UNKNOWN, age_text(age_s)
    return TileReading(text, unit, level, word, None if share is None else min(max(share, 0), 1))


def value_text(value: float, unit: str) -> str:
    """A number with as many decimals as its kind of sensor knows, with a true minus sign."""
    if not math.isfinite(value):
        return "∞" if value > 0 else f"{_MINUS}∞"
    resolution = SENSOR_RESOLUTIONS.get(unit)
    if resolution is None:
        before = len(str(int(abs(value))))
        decimals = max(0, _DIGITS - before) if value != int(value) else 0
    else:
        decimals = max(0, -math.floor(math.log10(resolution)))
    text = f"{value:.{decimals}f}"
    return (text if text.strip("-0.") else text.removeprefix("-")).replace("-", _MINUS)


def _number(value: float) -> str:
    return significant(value, 5).replace("-", _MINUS)
