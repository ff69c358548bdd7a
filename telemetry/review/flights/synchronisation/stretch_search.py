"""Stretch search: where a stretch of a video runs in a log, by all places that there are.

All places are searched, the best ones fitted, and the best one is held against the others."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.synchronisation.candidates import Candidate, find_candidates
from telemetry.review.flights.synchronisation.evidence import (
    Rivalry,
    gain_per_bin,
    lead_over,
)
from telemetry.review.flights.synchronisation.fit import Alignment, AlignmentFit, FileSpan
from telemetry.review.flights.synchronisation.motor_sound_score import SoundBesideLog
from telemetry.review.flights.synchronisation.turns import LogTurns, PictureTurns

_Column = npt.NDArray[np.float64]

_MOST_STRETCH_S = 240.0
"""So much of a video finds its place; the rest is then near."""
_MOST_CANDIDATES = 40
_COMES_NEAR = 0.3
"""Candidates that explain at least this share of what the best one does are fitted."""
_LEAST_FITTED = 3
_DECIDING_TURNS = 700
_PROBING_TURNS = 300
_STEP_SHIFTS_S = np.array([-0.06, 0.0, 0.06])
_PROBING_SPREADS = (3.0, np.inf)
"""A mount that is not exact yet; and the horizon does not matter."""
_APART_S = 0.5
"""Fits that end closer together are the same place."""


def search_stretch(
    picture: PictureTurns,
    log: LogTurns,
    stretch: tuple[float, float],
    sound: SoundBesideLog | None = None,
    most: int = _MOST_CANDIDATES,
) -> tuple[Alignment, Rivalry] | None:
    """The best fit of a stretch of the medium, a quick one, and its lead over all others, of which
    `most` are looked at; None where the two do not overlap enough anywhere. `sound` helps to
    choose between places."""
    candidates = find_candidates(picture, log, *stretch, most)
    tries = list(_tries(picture, log, candidates, stretch))
    return _best(tries, stretch, sound) if tries else None


def liveliest(
    picture: PictureTurns, start_s: float, end_s: float
) -> tuple[tuple[float, float], float]:
    """The stretch of a file in which the camera turns most, and how much that is."""
    inside = (picture.times_s >= start_s) & (picture.times_s < end_s)
    times_s = picture.times_s[inside]
    speed = np.minimum(np.linalg.norm(picture.rates_rad_s[inside], axis=1), 1.0)
    turned = np.concatenate([[0.0], np.cumsum(speed[1:] * np.diff(times_s))])
    if end_s - start_s <= _MOST_STRETCH_S:
        return (start_s, end_s), float(turned[-1])
    later = np.interp(times_s + _MOST_STRETCH_S, times_s, turned) - turned
    at = int(np.argmax(later * (times_s <= end_s - _MOST_STRETCH_S)))
    return (float(times_s[at]), float(times_s[at]) + _MOST_STRETCH_S), float(later[at])


def _tries(
    picture: PictureTurns,
    log: LogTurns,
    candidates: Sequence[Candidate],
    stretch: tuple[float, float],
) -> Iterator[tuple[AlignmentFit, Alignment]]:
    """A quick fit of each candidate that comes near the best one."""
    some = _some(log, stretch, _DECIDING_TURNS)
    gains = _first_gains(picture, _some(log, stretch, _PROBING_TURNS), candidates, stretch)
    order = np.argsort(-gains)
    for number, i in enumerate(order):
        if number >= _LEAST_FITTED and gains[i] < _COMES_NEAR * gains[order[0]]:
            return
        one = candidates[i]
        span = FileSpan(*stretch, one.offset_s)
        fit = AlignmentFit(picture, some, [span], one.rate, one.mount)
        if fit.can_be_fitted:
            yield fit, fit.run(passes=2)


def _some(log: LogTurns, stretch: tuple[float, float], count: int) -> LogTurns:
    """Every so many turns of a log, about as many as that within the stretch."""
    interval_s = float(np.median(np.diff(log.end_s)))
    step = max(round((stretch[1] - stretch[0]) / interval_s / count), 1)
    return log.where(np.arange(len(log)) % step == 0)


def _first_gains(
    picture: PictureTurns,
    log: LogTurns,
    candidates: Sequence[Candidate],
    stretch: tuple[float, float],
) -> _Column:
    """What each candidate explains as it stands, give or take the steps of the search."""
    gains = np.zeros(len(candidates))
    for i, one in enumerate(candidates):
        span = FileSpan(*stretch, one.offset_s)
        fit = AlignmentFit(picture, log, [span], one.rate, one.mount)
        if fit.can_be_fitted:
            gains[i] = fit.guess_gain(_PROBING_SPREADS, _STEP_SHIFTS_S)
    return gains


def _best(
    tries: Sequence[tuple[AlignmentFit, Alignment]],
    stretch: tuple[float, float],
    sound: SoundBesideLog | None,
) -> tuple[Alignment, Rivalry]:
    """The fit with the largest lead over all that have another place, and that lead. All are
    judged at the spreads of the one that gains most by its own."""
    spreads = max((found for _, found in tries), key=lambda found: found.gain).spreads
    judged = [fit.judged(found, spreads) for fit, found in tries]
    gains = [gain_per_bin(found, stretch[1]) for found in judged]
    heard = [sound.score(one.spans[0].offset_s, one.rate) if sound else 0.0 for one in judged]
    places_s = [found.log_s(sum(stretch) / 2) for found in judged]

    def against_the_rest(one: int) -> Rivalry:
        rivals = [
            (lead_over(gains[one], gains[other], heard[one] - heard[other]), places_s[other])
            for other in range(len(judged))
            if abs(places_s[other] - places_s[one]) > _APART_S
        ]
        lead, rival_s = min(rivals, default=(np.inf, np.nan))
        return Rivalry(lead, places_s[one], rival_s, heard[one])

    rivalries = [against_the_rest(one) for one in range(len(judged))]
    first = max(range(len(judged)), key=lambda one: (rivalries[one].lead, judged[one].gain))
    return judged[first], rivalries[first]
