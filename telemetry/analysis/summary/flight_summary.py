"""All sections of a summary."""

from telemetry.analysis.findings.reviewed_flight import review
from telemetry.analysis.summary.energy import summarise_energy
from telemetry.analysis.summary.figure import SummarySection
from telemetry.analysis.summary.gps_quality import summarise_gps
from telemetry.analysis.summary.motion import summarise_motion
from telemetry.analysis.summary.residuals import summarise_residuals
from telemetry.analysis.summary.sensor_rates import summarise_rates
from telemetry.analysis.summary.shaking import summarise_vibration
from telemetry.recording.recording import Recording

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
