"""Findings search: everything that can be found in a recording."""

from collections.abc import Callable, Iterator

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.alarms import find_alarms
from telemetry.review.analysis.findings.arming import find_arming
from telemetry.review.analysis.findings.attitude_error import find_attitude_errors
from telemetry.review.analysis.findings.battery_sag import find_battery_sag
from telemetry.review.analysis.findings.estimator_jumps import find_estimator_jumps
from telemetry.review.analysis.findings.flight_finding import FlightFinding
from telemetry.review.analysis.findings.flight_modes import find_modes
from telemetry.review.analysis.findings.gps_glitches import find_gps_glitches
from telemetry.review.analysis.findings.link_gaps import find_link_gaps
from telemetry.review.analysis.findings.restarts import find_restarts
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight, review
from telemetry.review.analysis.findings.saturation import find_saturation
from telemetry.review.analysis.findings.take_off_landing import find_flights
from telemetry.review.analysis.findings.vibration import find_vibration

FINDERS: tuple[Callable[[ReviewedFlight], Iterator[FlightFinding]], ...] = (
    find_arming,
    find_flights,
    find_modes,
    find_alarms,
    find_link_gaps,
    find_restarts,
    find_gps_glitches,
    find_saturation,
    find_vibration,
    find_battery_sag,
    find_attitude_errors,
    find_estimator_jumps,
)


def find_everything(recording: Recording) -> tuple[FlightFinding, ...]:
    """All findings in a recording up to its present end, in order of time. For any thread."""
    with np.errstate(invalid="ignore", over="ignore"):  # damaged samples hold any bytes
        flight = review(recording)
        findings = [finding for find in FINDERS for finding in find(flight)]
    return tuple(sorted(findings, key=lambda one: (one.t, one.finding.code, one.end_s)))
