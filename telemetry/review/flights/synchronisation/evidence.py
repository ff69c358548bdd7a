"""Sync evidence for a fit and against it: turns that agree, here more than anywhere else."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.synchronisation.fit import Alignment, AlignmentFit
from telemetry.review.flights.synchronisation.turns import (
    LEAST_SEEN_S,
    LEAST_TURN_DEG,
    PictureTurns,
)

_Column = npt.NDArray[np.float64]

_BIN_S = 1.0
_MOST_PER_BIN, _LEAST_PER_BIN = 30.0, 6.0
"""A second counts at most so much, lest one hard turn decide, and only if it tells at least so
much for or against one of the two."""
_WINDOW_S = 5.0
SHIFTS_S = np.linspace(-3.0, 3.0, 61)
_SAME_S = 0.15
_DEEP = 12.0
"""A window tells something if its best shift is better by so much log likelihood than most others
are, and than no turns would be."""
_LEAST_DARK = 0.2
"""Darkness of a smaller share of the frames is no reason for anything."""
_LEAST_CONFIDENCE = 0.5
_LEAST_WINDOWS = 3
_MOVING_DEG = 1.0
_MOST_SIGMA_S = 0.1


@dataclass(frozen=True, slots=True)
class SyncDoubt:
    """Why a fit is not to be believed: that of a whole video, with the remedy, and, in a part of
    a sentence, that of a piece of one."""

    of_video: str
    of_piece: str


_NOWHERE = SyncDoubt(
    "The camera's motion fits nowhere in the log. Do they belong to the same flight, and does the "
    "camera move with the aircraft?",
    "its motion fits nowhere in the log",
)
_TOO_CALM = SyncDoubt(
    "The camera turns in too little of the video to recognise its place in the log. Synchronise "
    "by hand.",
    "too little moves in it to recognise its place",
)


@dataclass(frozen=True, slots=True)
class Rivalry:
    """A fit against the best one elsewhere.

    `lead` is the sum of what second by second speaks for it, against its standard error if nothing
    did, with what the motor's sound adds; inf if there is no other. `log_s` and `rival_log_s` are
    where the two have the middle of the video. `heard` is how well the sound fits: log likelihood
    against chance.
    """

    lead: float
    log_s: float
    rival_log_s: float
    heard: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """How far a fit can be believed: `windows` counts stretches of five seconds with enough
    movement to find their own place, `agreeing` those that find this one."""

    rivalry: Rivalry
    windows: int
    agreeing: int

    @property
    def confidence(self) -> float:
        """From 0 to 1: what share of the windows agrees, less the chance that another place is as
        good, by its lead."""
        lead = self.rivalry.lead
        if not self.windows or lead <= 0:
            return 0.0
        return self.agreeing / self.windows * float(1 - np.exp(-((lead / 4) ** 2)))


def gain_per_bin(fit: Alignment, duration_s: float) -> _Column:
    """The gain over no connection, second by second of the medium."""
    bins = np.zeros(int(duration_s / _BIN_S) + 1)
    at = np.clip((fit.times_s / _BIN_S).astype(int), 0, len(bins) - 1)
    np.add.at(bins, at, fit.null_costs - fit.costs)
    return bins


def lead_over(best: _Column, other: _Column, heard: float = 0.0) -> float:
    """How clearly one fit is better than another, both as gains per bin, and `heard` by how much
    log likelihood the sound fits it better."""
    lively = np.maximum(np.abs(best), np.abs(other)) >= _LEAST_PER_BIN
    told = np.clip((best - other)[lively], -_MOST_PER_BIN, _MOST_PER_BIN)
    size = float(np.linalg.norm(told))
    lead = float(np.sum(told)) / size if size else 0.0
    both = lead * abs(lead) + 2 * heard
    return float(np.copysign(np.sqrt(abs(both)), both))


def windows_of(
    fit: AlignmentFit, found: Alignment, start_s: float = -np.inf, end_s: float = np.inf
) -> tuple[int, int]:
    """How many windows, within a stretch of the medium, can find their own place within three
    seconds, and how many find this."""
    costs = fit.shifted_costs(found, SHIFTS_S)
    window = (found.times_s / _WINDOW_S).astype(int)
    within = (found.times_s >= start_s) & (found.times_s <= end_s)
    told = agreeing = 0
    for number in np.unique(window[within]):
        inside = within & (window == number)
        depth, is_here = place_told(costs[inside].sum(axis=0), found.null_costs[inside].sum())
        told += depth >= _DEEP
        agreeing += depth >= _DEEP and is_here
    return told, agreeing


def place_told(costs: _Column, null_cost: float) -> tuple[float, bool]:
    """By how much log likelihood the best of `SHIFTS_S` is better than most, and than no turns
    would be, and whether it is none; by the costs (shifts,) of the same turns."""
    depth = min(float(np.median(costs)), null_cost) - float(costs.min())
    return depth, bool(abs(SHIFTS_S[int(np.argmin(costs))]) <= _SAME_S)


def darkness(picture: PictureTurns) -> str:
    """That much of a video is dark; "" if little is."""
    share = picture.dark_share()
    if share < _LEAST_DARK:
        return ""
    return f"The picture is too dark to be followed in {100 * share:.0f} % of the video."


def picture_doubt(
    picture: PictureTurns, start_s: float = -np.inf, end_s: float = np.inf
) -> SyncDoubt | None:
    """Why a stretch of a video shows too little to be looked for; None if it may be found."""
    seen_s, turn_deg = picture.told(start_s, end_s)
    if seen_s < LEAST_SEEN_S:
        why = darkness(picture) or (
            f"The picture's motion could be followed for less than {LEAST_SEEN_S:g} s: too "
            "blurred, too damaged, or without detail."
        )
        dark = picture.dark_share(start_s, end_s)
        is_dark = f", {100 * dark:.0f} % of it is too dark" if dark >= _LEAST_DARK else ""
        seen = f"its picture could be followed for {seen_s:.1f} s only"
        return SyncDoubt(f"{why} Synchronise by hand.", f"{seen}{is_dark}")
    if turn_deg < LEAST_TURN_DEG:
        return SyncDoubt(
            "The camera does not move: only a camera on the aircraft shows how it turns. "
            "Synchronise by hand.",
            "the camera does not move in it",
        )
    return None


def doubt_of(evidence: Evidence, sigma_s: float) -> SyncDoubt | None:
    """Why a fit of this standard error is not to be believed; None if it is."""
    if evidence.windows < _LEAST_WINDOWS or evidence.agreeing < evidence.windows / 2:
        return _NOWHERE
    rivalry = evidence.rivalry
    if evidence.confidence < _LEAST_CONFIDENCE and np.isfinite(rivalry.rival_log_s):
        places = f"{rivalry.log_s:.1f} s of the log and at {rivalry.rival_log_s:.1f} s"
        return SyncDoubt(
            f"The movement repeats itself: the middle of the video fits at {places}. Set one "
            "anchor by hand.",
            f"its movement repeats itself, its middle fits at {places}",
        )
    if sigma_s > _MOST_SIGMA_S:
        return SyncDoubt(
            f"The place was found to within {sigma_s:.2f} s only, because there is little movement "
            "or little attitude in the log. Synchronise by hand.",
            f"its place was found to within {sigma_s:.2f} s only",
        )
    return None


def in_film(
    doubt: SyncDoubt, picture: PictureTurns, start_s: float = -np.inf, end_s: float = np.inf
) -> SyncDoubt:
    """The doubt about a stretch of the medium, with how much turns in it: what turns in fewer
    windows than have to tell its place need not be missing in the log."""
    first_s, last_s = max(start_s, picture.times_s[0]), min(end_s, picture.times_s[-1])
    starts_s = np.arange(first_s, last_s, _WINDOW_S)
    turned = (picture.told(at_s, min(at_s + _WINDOW_S, last_s))[1] for at_s in starts_s)
    is_calm = sum(degrees >= _MOVING_DEG for degrees in turned) < _LEAST_WINDOWS
    return _TOO_CALM if doubt is _NOWHERE and is_calm else doubt
