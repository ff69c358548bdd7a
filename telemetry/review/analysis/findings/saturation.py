"""Saturation findings: outputs at the end of their range in flight, where control is lost.

A motor's pulse at ChannelMax, or at idle while thrust is asked for, cannot answer the stabilization
any more (ActuatorSettings; MixerSettings says which outputs are motors). Where a log has no
settings, a demand of the whole range on an axis (ActuatorDesired at -1 or 1) says the same.
"""

from collections.abc import Iterator

import numpy as np

from telemetry.base.finding import Level
from telemetry.recording.sample import Sample
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Flags, Floats, Span, stretches

SATURATION = FindingKind("saturation", "Saturation")
_SHARE = 0.01
_LEAST_S = 0.3
_JOIN_S = 2.0
_THRUST_ASKED = 0.2
_MOST_S = 1.5
"""A sample tells no more than this of what follows it."""
_MOTORS = ("Motor", "ReversableMotor")
_REMEDY = (
    "Make it lighter, or give it more power; if one output alone is there, look at its motor, "
    "propeller and balance."
)


def find_saturation(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """Motors at their limits; axes, where nothing says what the motors' limits are."""
    channels = flight.read(("ActuatorCommand",), "Channel")
    settings = flight.recording.latest("ActuatorSettings", flight.end_s)
    motors = _motors(flight.recording.latest("MixerSettings", flight.end_s))
    if settings is None or not motors or channels.values.ndim != 2:
        yield from _axes(flight)
        return
    limits = {
        name: np.asarray(settings.raw(name), np.float64)
        for name in ("ChannelMin", "ChannelNeutral", "ChannelMax")
    }
    fitting = min(channels.values.shape[1], *(len(limit) for limit in limits.values()))
    motors = [index for index in motors if index < fitting]
    flown = flight.is_airborne(channels.times)
    thrust = flight.read(("ActuatorDesired",), "Thrust")
    if not len(thrust.times):
        thrust = flight.read(("ActuatorDesired",), "Throttle")
    is_driven = thrust.at(channels.times, 0.0) > _THRUST_ASKED
    low, idle, high = (limit[motors] for limit in limits.values())
    pulses, room = channels.values[:, motors], _SHARE * np.abs(high - low)
    is_full = flown[:, None] & (pulses >= high - room) & (high > low)
    is_idle = (flown & is_driven)[:, None] & (pulses <= idle + room) & (high > low)
    is_idle &= ~is_idle.all(axis=1, keepdims=True)  # all of them: the pilot has just closed it
    yield from _limited(flight, channels.times, is_full, motors, "at full power")
    yield from _limited(flight, channels.times, is_idle, motors, "at idle")


def _motors(settings: Sample | None) -> list[int]:
    """Indices of the outputs that drive motors."""
    names = [f.name for f in settings.definition.fields] if settings is not None else []
    found_motors = []
    for number in range(1, 1 + len(names)):
        name = f"Mixer{number}Type"
        if settings is not None and name in names and str(settings[name]) in _MOTORS:
            found_motors.append(number - 1)
    return found_motors


def _limited(
    flight: ReviewedFlight, times: Floats, is_limited: Flags, motors: list[int], where: str
) -> Iterator[FlightFinding]:
    """One finding for all outputs that are limited over the same stretch."""
    ends = np.minimum(flight.held_until(times), times + _MOST_S)
    together: dict[Span, list[int]] = {}
    for column, index in enumerate(motors):
        for stretch in stretches(times, ends, is_limited[:, column], _JOIN_S):
            if stretch.length_s >= _LEAST_S:
                together.setdefault(stretch.span, []).append(index + 1)
    for span, outputs in together.items():
        which = f"Output{'s' if len(outputs) > 1 else ''} {', '.join(map(str, outputs))}"
        text = f"{which} {where} for {seconds(span[1] - span[0])}"
        yield found(SATURATION, span, text, Level.WARNING, _REMEDY, tuple(outputs))


def _axes(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    for axis in ("Roll", "Pitch", "Yaw"):
        demand = flight.read(("ActuatorDesired",), axis)
        is_full = (np.abs(demand.values) >= 1.0 - _SHARE) & flight.is_airborne(demand.times)
        ends = np.minimum(flight.held_until(demand.times), demand.times + _MOST_S)
        for stretch in stretches(demand.times, ends, is_full, _JOIN_S):
            if stretch.length_s >= _LEAST_S:
                text = f"{axis} demand at its limit for {seconds(stretch.length_s)}"
                yield found(SATURATION, stretch.span, text, Level.WARNING, _REMEDY)
