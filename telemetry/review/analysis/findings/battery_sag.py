"""Battery findings: voltage that sags under load, or falls below what the settings allow."""

from collections.abc import Iterator

import numpy as np

from telemetry.base.finding import Level
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.readings import Readings
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Floats, stretches

BATTERY = FindingKind("battery", "Battery")
SAG_V = 0.3
"""So much below what it has around, a cell is loaded beyond what it is made for."""
_AROUND_S = 15.0
_FULL_V = 4.25
_JOIN_S = 5.0
_THINNED_S = 0.1
_LOWEST_V = 3.0
"""A cell below this is damaged, whatever the settings say."""
_STATE = ("FlightBatteryState",)


def find_battery_sag(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """Sags, and stretches below the alarm's threshold, while armed."""
    voltage = flight.read(_STATE, "Voltage")
    is_known = (voltage.values > 0.5) & flight.is_armed(voltage.times)
    voltage = _thinned(Readings(voltage.times[is_known], voltage.values[is_known]))
    if len(voltage.times) < 3:
        return
    cells = _cells(flight, voltage.values)
    ends = flight.held_until(voltage.times)
    is_low = voltage.values < cells * _threshold_v(flight, cells)
    for stretch in stretches(voltage.times, ends, is_low, _JOIN_S):
        least = float(voltage.values[stretch.first : stretch.last + 1].min())
        text = (
            f"Below the alarm's threshold for {seconds(stretch.length_s)}, {_volts(least, cells)}"
        )
        remedy = "Land earlier, or set the threshold to what this battery can give."
        yield found(BATTERY, stretch.span, text, Level.ERROR, remedy)
    sag = _around(voltage) - voltage.values
    for stretch in stretches(voltage.times, ends, sag > SAG_V * cells, _JOIN_S):
        least = float(voltage.values[stretch.first : stretch.last + 1].min())
        text = f"Sagged to {_volts(least, cells)}"
        remedy = (
            "Use a battery that gives more current, or a warmer or younger one; check its plug."
        )
        yield found(BATTERY, stretch.span, text, Level.WARNING, remedy)


def _thinned(voltage: Readings) -> Readings:
    """At most about ten a second: a battery does not change faster than that."""
    if len(voltage.times) < 3:
        return voltage
    step = max(1, round(_THINNED_S / max(float(np.median(np.diff(voltage.times))), 1e-6)))
    return Readings(voltage.times[::step], voltage.values[::step])


def _around(voltage: Readings) -> Floats:
    """The median of the voltage in the half minute around each sample."""
    first = np.searchsorted(voltage.times, voltage.times - _AROUND_S)
    last = np.searchsorted(voltage.times, voltage.times + _AROUND_S, "right")
    windows = zip(first.tolist(), last.tolist(), strict=True)
    return np.array([np.median(voltage.values[start:stop]) for start, stop in windows])


def _cells(flight: ReviewedFlight, volts: Floats) -> int:
    """How many cells are in series: as the board says, else as the highest voltage needs."""
    told = flight.read(_STATE, "NbCells")
    if len(told.values) and told.values[-1] >= 1:
        return int(told.values[-1])
    return max(1, int(np.ceil(float(volts.max()) / _FULL_V)))


def _threshold_v(flight: ReviewedFlight, cells: int) -> float:
    """Volts of a cell at which the board raises its alarm."""
    settings = flight.recording.latest("FlightBatterySettings", flight.end_s)
    if settings is None:
        return _LOWEST_V
    if settings.definition.has_field("CellVoltageThresholds"):
        return max(_LOWEST_V, float(min(settings.raw("CellVoltageThresholds"))))
    if settings.definition.has_field("VoltageThresholds"):
        return max(_LOWEST_V, float(min(settings.raw("VoltageThresholds"))) / cells)
    return _LOWEST_V


def _volts(volts: float, cells: int) -> str:
    return f"{volts:.1f} V, {volts / cells:.2f} V a cell"
