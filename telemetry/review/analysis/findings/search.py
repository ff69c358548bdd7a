"""Findings search: everything that can be found in a recording."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from telemetry.base.registry import Registry
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.alarms import ALARM, find_alarms
from telemetry.review.analysis.findings.arming import ARMING, find_arming
from telemetry.review.analysis.findings.attitude_error import ATTITUDE_ERROR, find_attitude_errors
from telemetry.review.analysis.findings.battery_sag import BATTERY, find_battery_sag
from telemetry.review.analysis.findings.estimator_jumps import ESTIMATOR_JUMP, find_estimator_jumps
from telemetry.review.analysis.findings.flight_finding import FindingKind, FlightFinding
from telemetry.review.analysis.findings.flight_modes import MODE, find_modes
from telemetry.review.analysis.findings.gps_glitches import GPS_GLITCH, find_gps_glitches
from telemetry.review.analysis.findings.link_gaps import LINK_GAP, find_link_gaps
from telemetry.review.analysis.findings.restarts import RESTART, find_restarts
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight, review
from telemetry.review.analysis.findings.saturation import SATURATION, find_saturation
from telemetry.review.analysis.findings.take_off_landing import LANDING, TAKE_OFF, find_flights
from telemetry.review.analysis.findings.vibration import VIBRATION, find_vibration


@dataclass(frozen=True, slots=True)
class FlightFinder:
    """Looks through a flight for findings of these kinds."""

    kinds: tuple[FindingKind, ...]
    find: Callable[[ReviewedFlight], Iterable[FlightFinding]]


_OWN: Final = (
    FlightFinder((ARMING,), find_arming),
    FlightFinder((TAKE_OFF, LANDING), find_flights),
    FlightFinder((MODE,), find_modes),
    FlightFinder((ALARM,), find_alarms),
    FlightFinder((LINK_GAP,), find_link_gaps),
    FlightFinder((RESTART,), find_restarts),
    FlightFinder((GPS_GLITCH,), find_gps_glitches),
    FlightFinder((SATURATION,), find_saturation),
    FlightFinder((VIBRATION,), find_vibration),
    FlightFinder((BATTERY,), find_battery_sag),
    FlightFinder((ATTITUDE_ERROR,), find_attitude_errors),
    FlightFinder((ESTIMATOR_JUMP,), find_estimator_jumps),
)

FINDERS: Final = Registry("findings", {finder.kinds[0].code: finder for finder in _OWN})
"""By the code of the first kind that each finds."""


def finding_kinds() -> tuple[FindingKind, ...]:
    """Every kind of finding there is."""
    return tuple(kind for finder in FINDERS.values() for kind in finder.kinds)


def find_everything(recording: Recording) -> tuple[FlightFinding, ...]:
    """All findings in a recording up to its present end, in order of time. For any thread."""
    with np.errstate(invalid="ignore", over="ignore"):  # damaged samples hold any bytes
        flight = review(recording)
        findings = [found for finder in FINDERS.values() for found in finder.find(flight)]
    return tuple(sorted(findings, key=lambda one: (one.t, one.finding.code, one.end_s)))
