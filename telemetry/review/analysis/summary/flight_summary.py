"""Flight summary: all its sections."""

from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.reviewed_flight import review
from telemetry.review.analysis.summary.energy import summarise_energy
from telemetry.review.analysis.summary.figure import SummarySection
from telemetry.review.analysis.summary.gps_quality import summarise_gps
from telemetry.review.analysis.summary.motion import summarise_motion
from telemetry.review.analysis.summary.residuals import summarise_residuals
from telemetry.review.analysis.summary.sensor_rates import summarise_rates
from telemetry.review.analysis.summary.vibration import summarise_vibration

_SECTIONS = (
    summarise_motion,
    summarise_energy,
    summarise_gps,
    summarise_rates,
    summarise_residuals,
    summarise_vibration,
)


def summarise(recording: Recording) -> tuple[SummarySection, ...]:
    """A recording up to its present end, in figures. For any thread."""
    flight = review(recording)
    return tuple(section(flight) for section in _SECTIONS)
