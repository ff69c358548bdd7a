"""Energy summary: charge, energy, power and voltage, as FlightBatteryState tells."""

import numpy as np

from telemetry.review.analysis.findings.readings import Readings
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection, known
from telemetry.review.analysis.summary.motion import in_the_air

_BATTERY = ("FlightBatteryState",)
_LONGEST_STEP_S = 5.0
"""Between two samples further apart nobody knows what it drew."""


def summarise_energy(flight: ReviewedFlight) -> SummarySection:
    """Charge and energy of the whole recording; power and voltage of the time in the air."""
    volts, amperes = flight.read(_BATTERY, "Voltage"), flight.read(_BATTERY, "Current")
    if not len(volts.times) or volts.values.max() <= 0.0:
        return SummarySection("Energy", (), "The battery's voltage was not recorded.")
    flown = in_the_air(flight, volts.times)
    in_air_v = volts.values[flown] if flown.any() else volts.values
    return SummarySection(
        "Energy",
        known(
            SummaryFigure("Voltage at first", float(volts.values[0]), "V", 2),
            SummaryFigure("Voltage at last", float(volts.values[-1]), "V", 2),
            SummaryFigure("Lowest voltage in the air", float(in_air_v.min()), "V", 2),
            *_drawn(flight, volts, amperes),
        ),
    )


def _drawn(flight: ReviewedFlight, volts: Readings, amperes: Readings) -> tuple[SummaryFigure, ...]:
    """What was drawn, as far as a current sensor tells."""
    count = min(len(volts.times), len(amperes.times))
    times, current = amperes.times[:count], amperes.values[:count]
    if count < 2 or current.max() <= 0.0:
        return ()
    power = current * volts.values[:count]
    steps = np.diff(times)
    counted = np.where(steps <= _LONGEST_STEP_S, steps, 0.0)
    charge_mah = float((0.5 * (current[1:] + current[:-1]) * counted).sum() / 3.6)
    energy_wh = float((0.5 * (power[1:] + power[:-1]) * counted).sum() / 3600.0)
    flown = in_the_air(flight, times)
    return known(
        SummaryFigure("Charge drawn", charge_mah, "mAh"),
        SummaryFigure("Energy drawn", energy_wh, "Wh", 1),
        SummaryFigure("Greatest current", float(current.max()), "A", 1),
        SummaryFigure("Mean power in the air", float(power[flown].mean()), "W")
        if flown.any()
        else None,
    )
