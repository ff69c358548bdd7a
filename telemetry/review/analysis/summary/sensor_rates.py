"""Sensor rates: of what estimators and pilots rely on, with the longest silence while armed."""

import numpy as np

from telemetry.recording.flight_state import ACCELERATION, ATTITUDE, BARO, POSITION, VELOCITY
from telemetry.recording.gps_fix import GPS
from telemetry.recording.track import Track
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection, known

_OBJECTS = (
    ("GyroState", "GyroSensor", "Gyros"),
    ACCELERATION,
    ("MagState", "MagSensor", "Magnetometer"),
    BARO,
    GPS,
    ATTITUDE,
    POSITION,
    VELOCITY,
    ("ActuatorCommand",),
)


def summarise_rates(flight: ReviewedFlight) -> SummarySection:
    """Samples a second in the middle of all, with the longest silence while it was armed."""
    recording = flight.recording
    tracks = (
        next((track for name in names if (track := recording.track(name))), None)
        for names in _OBJECTS
    )
    figures = known(*(_rate(flight, track) for track in tracks if track is not None))
    return SummarySection("Sampling", figures, "" if figures else "No sensor was recorded.")


def _rate(flight: ReviewedFlight, track: Track) -> SummaryFigure | None:
    times = track.times
    steps = np.diff(times)
    if not len(steps) or np.median(steps) <= 0.0:
        return None
    rate_hz = 1.0 / float(np.median(steps))
    armed = flight.is_armed(times[1:]) if flight.armed else np.ones(len(steps), np.bool_)
    note = f"{len(times):,} samples"
    if armed.any():
        note += f", longest silence {steps[armed].max():.2f} s"
    return SummaryFigure(track.definition.name, rate_hz, "Hz", 1, note)
