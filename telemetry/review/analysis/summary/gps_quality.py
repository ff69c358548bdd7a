"""GPS quality summary: how far the receiver's positions can be trusted.

Ten satellites or more over several minutes are what a position right to a metre takes (seed 004,
5.3.2); fewer, and a large dilution of precision, say that it may be off by many.
"""

import numpy as np

from telemetry.base.finding import Level
from telemetry.recording.gps_fix import GPS
from telemetry.review.analysis.findings.gps_glitches import find_gps_glitches
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import stretches
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection, known
from telemetry.review.analysis.summary.motion import in_the_air

ENOUGH_SATELLITES = 10
SEVERAL_MINUTES_S = 120.0
_JOIN_S = 2.0


def summarise_gps(flight: ReviewedFlight) -> SummarySection:
    """Satellites, dilution of precision, and whether positions are right to a metre."""
    satellites, pdop = flight.read(GPS, "Satellites"), flight.read(GPS, "PDOP")
    if not len(satellites.times):
        return SummarySection("GPS", (), "No satellite receiver was recorded.")
    flown = in_the_air(flight, satellites.times)
    if not flown.any():
        flown = np.ones(len(satellites.times), np.bool_)
    seen = satellites.values[flown]
    enough = satellites.values >= ENOUGH_SATELLITES
    longest_s = max(
        (
            one.length_s
            for one in stretches(
                satellites.times, flight.held_until(satellites.times), enough, _JOIN_S
            )
        ),
        default=0.0,
    )
    is_metre = longest_s >= SEVERAL_MINUTES_S
    values = pdop.values[in_the_air(flight, pdop.times)]
    glitches = len(list(find_gps_glitches(flight)))
    steadiness = Level.WARNING if glitches else Level.OK
    return SummarySection(
        "GPS",
        known(
            SummaryFigure("Satellites, in the middle", float(np.median(seen))),
            SummaryFigure("Satellites, at least", float(seen.min())),
            SummaryFigure(
                f"{ENOUGH_SATELLITES} satellites or more", 100.0 * float(np.mean(seen >= 10)), "%"
            ),
            SummaryFigure(
                "Right to a metre",
                "yes" if is_metre else "not for certain",
                note=f"{ENOUGH_SATELLITES} satellites or more for {longest_s:.0f} s at a stretch; "
                f"it takes {SEVERAL_MINUTES_S:.0f} s",
                level=Level.OK if is_metre else Level.WARNING,
            ),
            SummaryFigure("PDOP, in the middle", float(np.median(values)), "", 1)
            if len(values)
            else None,
            SummaryFigure("PDOP, at most", float(values.max()), "", 1) if len(values) else None,
            SummaryFigure("Jumps and losses", float(glitches), level=steadiness),
        ),
    )
