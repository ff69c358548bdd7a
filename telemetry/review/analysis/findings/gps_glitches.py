"""GPS glitch findings: the receiver's position jumps, or is lost, while the aircraft is armed.

A position jumps where it moves further than its own ground speed explains. A receiver's error is
2.5 m for half of all positions (u-blox data sheets); four times that is no noise.
"""

from collections.abc import Iterator

import numpy as np

from telemetry.base.earth.tangent_plane import steps_m_of
from telemetry.base.finding import Level
from telemetry.recording.gps_fix import GPS, place_flags
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Flags, Floats, stretches

GPS_GLITCH = FindingKind("gps", "GPS glitch")
JUMP_M = 10.0
_LONGEST_STEP_S = 5.0
_JOIN_S = 5.0
_REMEDY = (
    "Do not fly modes that hold a position there; look at the antenna's view of the sky, and at "
    "what disturbs it (video transmitter, power wires)."
)


def find_gps_glitches(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """Jumps and losses of the fix."""
    track = next((t for n in GPS if (t := flight.recording.track(n)) is not None), None)
    if track is None or not track.count:
        return
    names = (track.definition.name,)
    status = flight.read(names, "Status")
    latitude, longitude = flight.read(names, "Latitude"), flight.read(names, "Longitude")
    speed = flight.read(names, "Groundspeed")
    count = min(len(r.times) for r in (status, latitude, longitude, speed))
    if count < 2:
        return
    times = latitude.times[:count]
    has_fix = place_flags(track, 0, count)
    degrees = np.stack((latitude.values, longitude.values), 1)[:count] * 1e-7
    yield from _jumps(flight, times, steps_m_of(*degrees.T), speed.values[:count], has_fix)
    yield from _losses(flight, times, has_fix)


def _jumps(
    flight: ReviewedFlight,
    times: Floats,
    steps_m: Floats,
    speed: Floats,
    has_fix: Flags,
) -> Iterator[FlightFinding]:
    dt = np.diff(times)
    unexplained = steps_m - np.minimum(speed[:-1], speed[1:]) * dt
    is_jump = (unexplained > JUMP_M) & (dt < _LONGEST_STEP_S) & has_fix[1:] & has_fix[:-1]
    is_jump &= flight.is_armed(times[1:])
    for stretch in stretches(times[:-1], times[1:], is_jump, _JOIN_S):
        most = float(unexplained[stretch.first : stretch.last + 1].max())
        text = f"The position jumped by {most:.0f} m"
        yield found(GPS_GLITCH, stretch.span, text, Level.WARNING, _REMEDY)


def _losses(flight: ReviewedFlight, times: Floats, has_fix: Flags) -> Iterator[FlightFinding]:
    """Only what was lost: a receiver that never had a fix is no glitch."""
    had_fix = np.logical_or.accumulate(has_fix)
    is_lost = ~has_fix & had_fix & flight.is_armed(times)
    for stretch in stretches(times, flight.held_until(times), is_lost, _JOIN_S):
        text = f"No position for {seconds(stretch.length_s)}"
        yield found(GPS_GLITCH, stretch.span, text, Level.WARNING, _REMEDY)
