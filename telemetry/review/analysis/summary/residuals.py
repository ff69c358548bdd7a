"""Estimator residuals: what the aircraft believed against its sensors, and against the truth."""

import numpy as np

from telemetry.base.earth.tangent_plane import plane_at
from telemetry.recording.flight_state import BARO, POSITION, VELOCITY
from telemetry.recording.gps_fix import GPS
from telemetry.review.analysis.findings.readings import Readings
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Floats
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection, known
from telemetry.review.analysis.summary.motion import in_the_air

_LEAST_SAMPLES = 5


def summarise_residuals(flight: ReviewedFlight) -> SummarySection:
    """Root mean squares in the air; a constant difference is told apart where it means nothing."""
    figures = known(
        _horizontal(flight),
        _rms("Speed, estimate against GPS", _speed_errors(flight), "m/s"),
        _rms("Height, estimate against barometer", _height_errors(flight), "m"),
        *_truth(flight),
    )
    return SummarySection("Estimate", figures, "" if figures else "No estimate was recorded.")


def _horizontal(flight: ReviewedFlight) -> SummaryFigure | None:
    """The distance between estimate and receiver, less the mean: home may stand elsewhere."""
    north, east = flight.read(POSITION, "North"), flight.read(POSITION, "East")
    latitude, longitude = flight.read(GPS, "Latitude"), flight.read(GPS, "Longitude")
    count = min(len(latitude.times), len(longitude.times))
    if not len(north.times) or not count:
        return None
    times = latitude.times[:count]
    degrees = latitude.values[:count] * 1e-7, longitude.values[:count] * 1e-7
    keep = in_the_air(flight, times) & (degrees[0] != 0.0)
    if not keep.any():
        return None
    middle = (float(np.median(one[keep])) for one in degrees)
    estimate = np.stack((north.at(times), east.at(times)), 1)
    errors = (plane_at(*middle).north_east_many(*degrees) - estimate)[keep]
    errors = errors[np.isfinite(errors).all(axis=1)]
    if len(errors) < _LEAST_SAMPLES:
        return None
    spread = float(np.sqrt(np.mean(((errors - errors.mean(axis=0)) ** 2).sum(axis=1))))
    return SummaryFigure("Position, estimate against GPS", spread, "m", 2, "mean left out")


def _speed_errors(flight: ReviewedFlight) -> Floats:
    north, east = flight.read(VELOCITY, "North"), flight.read(VELOCITY, "East")
    measured = flight.read(GPS, "Groundspeed")
    keep = in_the_air(flight, measured.times)
    times = measured.times[keep]
    found: Floats = measured.values[keep] - np.hypot(north.at(times), east.at(times))
    return found


def _height_errors(flight: ReviewedFlight) -> Floats:
    down, baro = flight.read(POSITION, "Down"), flight.read(BARO, "Altitude")
    keep = in_the_air(flight, baro.times)
    errors = baro.values[keep] + down.at(baro.times[keep])
    known_errors = errors[np.isfinite(errors)]
    found: Floats = known_errors - known_errors.mean() if len(known_errors) else known_errors
    return found


def _truth(flight: ReviewedFlight) -> tuple[SummaryFigure | None, ...]:
    """Of a simulated flight: how far the estimate was from what really was."""
    errors = [
        _against_truth(flight, flight.read(POSITION, axis), f"PositionNED.{index}")
        for index, axis in enumerate(("North", "East", "Down"))
    ]
    if any(len(error) < _LEAST_SAMPLES for error in errors):
        return ()
    count = min(len(error) for error in errors)
    off = np.sqrt(sum(error[:count] ** 2 for error in errors))
    return (_rms("Position, estimate against truth", off, "m"),)


def _against_truth(flight: ReviewedFlight, estimate: Readings, name: str) -> Floats:
    truth = flight.read(("GroundTruth",), name)
    keep = in_the_air(flight, truth.times)
    errors = truth.values[keep] - estimate.at(truth.times[keep])
    known_errors: Floats = errors[np.isfinite(errors)]
    return known_errors


def _rms(name: str, errors: Floats, unit: str) -> SummaryFigure | None:
    errors = errors[np.isfinite(errors)]
    if len(errors) < _LEAST_SAMPLES:
        return None
    return SummaryFigure(name, float(np.sqrt(np.mean(errors**2))), unit, 2)
