"""Display units: those views show values in. Files, logs and saved limits stay as they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from telemetry.base.measurement_units import conversion, known_unit

_THIN = "\u2009"
Place = tuple[float, float, str]
"""Gain and offset from the recorded unit, and the unit shown."""

SENSOR_RESOLUTIONS = {
    "°": 0.1,
    "ft": 1.0,
    "kt": 0.1,
    "mph": 0.1,
    "ft/s²": 0.1,
    "°/s": 0.1,
    "m": 0.1,
    "m/s": 0.1,
    "m/s²": 0.01,
    "V": 0.01,
    "A": 0.1,
    "%": 1.0,
}
"""What sensors of aircraft tell apart, by unit: decimals beyond that are noise."""


@dataclass(frozen=True, slots=True)
class DisplayUnits:
    """One choice of units. `instead` names the unit that is shown in the place of another one;
    what is not in it shows as it is recorded. `climb` is that of vertical speed. A distance from
    `far_m` on is told in `far`, a shorter one in `near`."""

    name: str
    title: str
    instead: Mapping[str, str] = field(default_factory=dict)
    climb: str = "m/s"
    near: str = "m"
    far: str = "km"
    far_m: float = 1000.0

    def shown(self, unit: str) -> Place:
        """How values that are recorded in `unit` are shown."""
        wanted = self.instead.get(unit)
        return (1.0, 0.0, unit) if wanted is None else (*conversion(unit, wanted), wanted)

    def value(self, value: float | None, unit: str) -> float | None:
        """A value that is recorded in `unit` as it is shown."""
        gain, offset, _ = self.shown(unit)
        return None if value is None else value * gain + offset

    @property
    def height(self) -> str:
        """The unit of heights."""
        return self.shown("m")[2]

    @property
    def speed(self) -> str:
        """The unit of speeds over ground and through air."""
        return self.shown("m/s")[2]

    def climb_shown(self, climb_mps: float | None) -> float | None:
        """A vertical speed as it is shown."""
        return None if climb_mps is None else climb_mps * conversion("m/s", self.climb)[0]

    def distance_text(self, distance_m: float) -> str:
        """A distance as people say it, with a thin space before the unit."""
        if distance_m >= self.far_m:
            far = distance_m * conversion("m", self.far)[0]
            text = f"{far:.0f}" if far >= 10.0 else f"{far:.1f}".removesuffix(".0")
            return f"{text}{_THIN}{self.far}"
        near = distance_m * conversion("m", self.near)[0]
        if self.near == "m" and distance_m < 1.0:
            return f"{distance_m * 100:.0f}{_THIN}cm"
        return f"{near:.0f}{_THIN}{self.near}" if near >= 1.0 else f"{near:.1f}{_THIN}{self.near}"

    def round_units_m(self, longest_m: float) -> float:
        """The unit, in metres, in which the longest round distance within `longest_m` is told."""
        unit = known_unit(self.far if longest_m >= self.far_m else self.near)
        return unit.factor if unit is not None else 1.0


METRIC = DisplayUnits("metric", "Metric")
AVIATION = DisplayUnits(
    "aviation",
    "Aviation",
    {
        **dict.fromkeys(("m", "cm"), "ft"),
        **dict.fromkeys(("m/s", "cm/s", "km/h"), "kt"),
        **dict.fromkeys(("Pa", "kPa"), "hPa"),
    },
    climb="ft/min",
    near="ft",
    far="NM",
    far_m=1852.0,
)
IMPERIAL = DisplayUnits(
    "imperial",
    "Imperial",
    {
        **dict.fromkeys(("m", "cm"), "ft"),
        **dict.fromkeys(("m/s", "cm/s", "km/h"), "mph"),
        "m/s²": "ft/s²",
        "°C": "°F",
    },
    climb="ft/s",
    near="ft",
    far="mi",
    far_m=1609.344,
)
ALL_UNITS = {units.name: units for units in (METRIC, AVIATION, IMPERIAL)}
