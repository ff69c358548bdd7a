"""Motion summary: how long, how far, how high and how fast."""

import numpy as np

from telemetry.base.earth.geodesic import geodesic
from telemetry.base.earth.tangent_plane import plane_at, steps_m_of
from telemetry.recording.flight_state import AIRSPEED, VELOCITY
from telemetry.recording.flown_places import FlownPlaces
from telemetry.review.analysis.findings.airborne import read_height, read_speed
from telemetry.review.analysis.findings.flight_finding import seconds
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Flags, Floats
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection, known

_AIRSPEED_SENSOR = "AirspeedSensor"
"""Without one, what firmware sends as airspeed is its ground speed."""


def summarise_motion(flight: ReviewedFlight) -> SummarySection:
    """Of the time in the air; of all where nothing tells whether it flew."""
    armed_s = sum(end - start for start, end in flight.armed)
    airborne_s = sum(end - start for start, end in flight.airborne)
    figures = known(
        SummaryFigure("Recorded", seconds(flight.end_s - flight.recording.first_s)),
        SummaryFigure("Armed", seconds(armed_s)) if flight.armed else None,
        SummaryFigure("In the air", seconds(airborne_s)) if flight.airborne else None,
        SummaryFigure("Flights", float(len(flight.airborne))) if flight.airborne else None,
        *_way(flight),
        *_height(flight),
        *_speed(flight),
    )
    return SummarySection("Flight", figures)


def in_the_air(flight: ReviewedFlight, times: Floats) -> Flags:
    """Which times count: those in the air, or all where nothing tells."""
    return flight.is_airborne(times) if flight.airborne else np.ones(len(times), np.bool_)


def _way(flight: ReviewedFlight) -> tuple[SummaryFigure, ...]:
    """How far it went over ground."""
    places = FlownPlaces(flight.recording)
    places.update()
    flown = in_the_air(flight, places.times)
    if np.count_nonzero(flown) < 2:
        return ()
    steps_m = steps_m_of(places.latitudes_deg, places.longitudes_deg)
    counts = flown[1:] & flown[:-1] & ~places.is_start[1:]
    there = np.stack((places.latitudes_deg, places.longitudes_deg), axis=1)[flown]
    plane = plane_at(*there[0].tolist())
    farthest = int(np.argmax(np.linalg.norm(plane.north_east_many(*there.T), axis=1)))
    away_m, _ = geodesic(*there[0].tolist(), *there[farthest].tolist())
    return (
        SummaryFigure("Distance over ground", float(steps_m[counts].sum()), "m"),
        SummaryFigure("Farthest from take-off", away_m, "m"),
    )


def _height(flight: ReviewedFlight) -> tuple[SummaryFigure, ...]:
    """How high it was above the place of take-off, and how fast it climbed and sank."""
    figures = []
    height = read_height(flight.recording)
    flown = in_the_air(flight, height.times)
    if flown.any():
        start_s = flight.airborne[0][0] if flight.airborne else float(height.times[0])
        ground_m = height.at(np.array([start_s]), float(height.values[0]))[0]
        above_m = height.values[flown] - ground_m
        figures.append(SummaryFigure("Greatest height", float(above_m.max()), "m", 1))
    down = flight.read(VELOCITY, "Down")
    climbs = -down.values[in_the_air(flight, down.times)]
    if len(climbs):
        figures.append(SummaryFigure("Fastest climb", float(climbs.max()), "m/s", 1))
        figures.append(SummaryFigure("Fastest descent", float(-climbs.min()), "m/s", 1))
    return tuple(figures)


def _speed(flight: ReviewedFlight) -> tuple[SummaryFigure, ...]:
    figures = []
    ground = read_speed(flight.recording)
    speeds = ground.values[in_the_air(flight, ground.times)]
    if len(speeds):
        figures.append(SummaryFigure("Greatest ground speed", float(speeds.max()), "m/s", 1))
        figures.append(SummaryFigure("Mean ground speed", float(speeds.mean()), "m/s", 1))
    air = flight.read(AIRSPEED, "CalibratedAirspeed")
    airspeeds = air.values[in_the_air(flight, air.times)]
    is_measured = flight.recording.track(_AIRSPEED_SENSOR) is not None
    if is_measured and len(airspeeds) and airspeeds.max() > 0.0:
        figures.append(SummaryFigure("Greatest airspeed", float(airspeeds.max()), "m/s", 1))
    return tuple(figures)
