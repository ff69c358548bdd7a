"""Axis signals: an axis' recorded desired and actual values, in any firmware of the family."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.review.analysis.series import Array, Series

AXES = ("Roll", "Pitch", "Yaw")
_DESIRED = "StabilizationDesired"
_MODE = "StabilizationMode"
_ELEMENTS = {"Roll": "x", "Pitch": "y", "Yaw": "z"}


class Loop(Enum):
    """A control loop, as the word a person chooses it by."""

    ATTITUDE = "Attitude"
    RATE = "Rate"


@dataclass(frozen=True, slots=True)
class LoopFacts:
    """Objects by the names releases gave them, the modes in which sticks ask this loop, units,
    and what counts as a move and as an oscillation."""

    desired: tuple[str, ...]
    actual: tuple[str, ...]
    modes: frozenset[str]
    units: str
    smallest_move: float
    smallest_swing: float


FACTS = {
    Loop.ATTITUDE: LoopFacts(
        (_DESIRED,), ("AttitudeState", "AttitudeActual"), frozenset({"Attitude"}), "deg", 5.0, 0.7
    ),
    Loop.RATE: LoopFacts(
        ("RateDesired",),
        ("GyroState", "Gyros"),
        frozenset({"Rate", "RateTrainer", "Acro+"}),
        "deg/s",
        30.0,
        6.0,
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class AxisSignals:
    """Desired and actual of one axis, in the loop's units."""

    desired: Series
    actual: Series


def axis_signals(recording: Recording, loop: Loop, axis: str, t0: float, t1: float) -> AxisSignals:
    """What is recorded of an axis within [t0, t1]; empty series for what is not.

    In the attitude loop the desired value is NaN while the stick asks for something else.
    """
    facts = FACTS[loop]
    desired = _first(recording, facts.desired, axis, t0, t1)
    element = _ELEMENTS[axis] if loop is Loop.RATE else axis
    actual = _first(recording, facts.actual, element, t0, t1)
    if loop is Loop.ATTITUDE and len(desired.times):
        modes = _modes(recording, axis, t0, t1).values[: len(desired.times)]
        is_angle = np.isin(modes, list(_numbers(recording, facts)))
        known = len(modes)  # the recording may have grown in between
        values = np.where(is_angle, desired.values[:known], np.nan)
        desired = Series(desired.times[:known], values)
    return AxisSignals(desired, actual)


def steered_stretch(
    recording: Recording, loop: Loop, axis: str, t0: float, t1: float
) -> tuple[float, float] | None:
    """The latest of `steered_spans`, None if there are none."""
    spans = steered_spans(recording, loop, axis, t0, t1)
    return spans[-1] if spans else None


def steered_spans(
    recording: Recording, loop: Loop, axis: str, t0: float, t1: float
) -> tuple[tuple[float, float], ...]:
    """The stretches within [t0, t1] in which the stick asked this loop of the axis directly.

    Only there can its answer be told: elsewhere the desired value follows from the actual one.
    """
    modes = _modes(recording, axis, t0, t1)
    is_steered = np.isin(modes.values, list(_numbers(recording, FACTS[loop])))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_steered, [False]]).astype(np.int8)))
    ends = np.append(modes.times, t1)
    return tuple(
        (float(modes.times[first]), float(ends[last]))
        for first, last in zip(edges[::2], edges[1::2], strict=True)
    )


def changed_at(recording: Recording, name: str, t: float) -> float:
    """When the values of an object that hold at `t` were first heard; -inf if nothing is known.

    Repetitions of the same values are no change.
    """
    track = recording.track(name)
    if track is None:
        return -np.inf
    start, stop = track.range(None, t)
    last: Sample | None = None
    for index in range(stop - 1, start - 1, -1):
        sample = track.sample(index)
        if last is not None and sample.row.tobytes() != last.row.tobytes():
            return last.t
        last = sample
    return -np.inf


def cut(signals: AxisSignals, t0: float, t1: float) -> AxisSignals:
    """The part within [t0, t1]."""
    return AxisSignals(_cut(signals.desired, t0, t1), _cut(signals.actual, t0, t1))


def only_within(signals: AxisSignals, spans: tuple[tuple[float, float], ...]) -> AxisSignals:
    """What lies within none of these spans (start, end) becomes a gap."""
    return AxisSignals(*(_only_within(one, spans) for one in (signals.desired, signals.actual)))


def rate_hz(times: Array) -> float:
    """How often values came; 0 for less than two."""
    if len(times) < 2:
        return 0.0
    return (len(times) - 1) / max(float(times[-1] - times[0]), 1e-6)


def _only_within(series: Series, spans: tuple[tuple[float, float], ...]) -> Series:
    is_inside = np.zeros(len(series.times), np.bool_)
    for start, end in spans:
        is_inside |= (series.times >= start) & (series.times <= end)
    return Series(series.times[is_inside], series.values[is_inside])


def _cut(series: Series, t0: float, t1: float) -> Series:
    inside = (series.times >= t0) & (series.times <= t1)
    return Series(series.times[inside], series.values[inside])


def _first(
    recording: Recording, names: tuple[str, ...], field: str, t0: float, t1: float
) -> Series:
    for name in names:
        times, values = recording.series(f"{name}.{field}", t0, t1)
        if len(times):
            return Series(np.asarray(times), np.asarray(values, dtype=np.float64))
    return Series(np.empty(0), np.empty(0))


def _modes(recording: Recording, axis: str, t0: float, t1: float) -> Series:
    times, values = recording.series(f"{_DESIRED}.{_MODE}.{axis}", t0, t1)
    return Series(np.asarray(times), np.asarray(values, dtype=np.float64))


def _numbers(recording: Recording, facts: LoopFacts) -> set[int]:
    """The numbers of the loop's modes in this aircraft's version of the object."""
    track = recording.track(_DESIRED)
    if track is None or not track.definition.has_field(_MODE):
        return set()
    field = track.definition.field_named(_MODE)
    return {field.option_number(name) for name in facts.modes if name in field.options}
