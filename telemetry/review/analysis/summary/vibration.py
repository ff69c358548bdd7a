"""Vibration summary: how much the aircraft shook, by the measure that findings judge."""

from telemetry.base.finding import Level
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.vibration import ERROR_MPS2, WARNING_MPS2, vibration
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection


def summarise_vibration(flight: ReviewedFlight) -> SummarySection:
    """Mean and greatest change of the acceleration from sample to sample, over ten seconds."""
    level = vibration(flight)
    if not len(level.times):
        return SummarySection("Vibration", (), "Too few accelerations were recorded in the air.")
    most = float(level.values.max())
    return SummarySection(
        "Vibration",
        (
            SummaryFigure("Mean", float(level.values.mean()), "m/s²", 2),
            SummaryFigure(
                "Greatest",
                most,
                "m/s²",
                2,
                f"too much from {WARNING_MPS2:.1f}, dangerous from {ERROR_MPS2:.1f}",
                _level(most),
            ),
        ),
    )


def _level(most: float) -> Level:
    if most > ERROR_MPS2:
        return Level.ERROR
    return Level.WARNING if most > WARNING_MPS2 else Level.OK
