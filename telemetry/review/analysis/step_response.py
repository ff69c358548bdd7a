"""Step response of an axis, estimated from how it answered a flight's sticks.

The actual value is taken as what all past desired values make of it:

    y[k] = c + sum over j of h[j] x[k - j] + noise,    step response s[m] = h[0] + ... + h[m]

h is found by least squares with a price on roughness (a Wiener deconvolution that needs neither
windows nor steps in the sticks). The price is chosen by predicting parts of the flight from the
others; how much of those is predicted, and how far the figures move when a part is left out, say
what the estimate is worth. It holds for a desired value that does not itself follow from the
actual one: sticks in rate mode for RateDesired, in attitude mode for StabilizationDesired.
"""

from dataclasses import asdict, dataclass, replace

import numpy as np

from telemetry.review.analysis.series import Array, Inconclusive, Pair, Series, pair_up

_MOST_TAPS = 200
_PARTS = 6
_ROUGHNESS = 10.0 ** np.arange(-7.0, 1.0)
_LEAST_EXPLAINED = 0.5
_GOOD_EXPLAINED = 0.85
_SETTLED = 0.05
_FINAL_SHARE = 0.25
"""The last part of the response, whose mean is where it goes."""
_CHUNK = 4000
_COARSEST = 4.0
"""A rise shorter than this many intervals is blurred by them."""


@dataclass(frozen=True, slots=True)
class _Figures:
    gain: float
    rise_s: float
    delay_s: float
    overshoot_percent: float
    settling_s: float | None


@dataclass(frozen=True, slots=True, eq=False)
class StepResponse(_Figures):
    """The answer to a step of 1 at time 0, and its figures.

    `times` (n,) in seconds with `response` (n,) and its standard error `errors` (n,), to draw.
    `gain` is where it goes. `rise_s` is from 10 to 90 % of that, `delay_s` to half of it,
    `overshoot_percent` above it, `settling_s` until it stays within 5 % (None: not by the end).
    `rise_error_s` and `overshoot_error_percent` are standard errors; `explained` is the share of
    unseen data it predicts, 0 to 1; `verdict` a sentence. `moves` is how often the desired value
    turned back after a move that counts, in all of the data. `lacks_rate`: the readings are too
    slow for this rise.
    """

    times: Array
    response: Array
    errors: Array
    rise_error_s: float
    overshoot_error_percent: float
    explained: float
    is_reliable: bool
    verdict: str
    moves: int
    lacks_rate: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Normal equations of a part of the flight: A'A, A'y and y'y with y about its mean."""

    gram: Array
    moment: Array
    power: float
    count: int


def estimate_step_response(
    desired: Series,
    actual: Series,
    smallest_move: float,
    response_s: float = 1.0,
    wraps_at: float | None = None,
) -> StepResponse | Inconclusive:
    """The step response of an axis, or why it cannot be told.

    `smallest_move` is the least change of the desired value that counts as one, in its unit: some
    degrees or some tens of degrees per second. `response_s` is how long an answer is looked for,
    at first: one that has not settled by half of it is given twice that, and again, as far as the
    flight is long enough. `wraps_at` is 360 for headings.
    """
    found = _estimate(desired, actual, smallest_move, response_s, wraps_at)
    for longer in (2.0 * response_s, 4.0 * response_s):
        if isinstance(found, StepResponse) and _is_over(found):
            return found
        again = _estimate(desired, actual, smallest_move, longer, wraps_at)
        if isinstance(again, StepResponse):
            found = again
    return found


def _is_over(found: StepResponse) -> bool:
    return found.settling_s is not None and found.settling_s < 0.5 * float(found.times[-1])


def _estimate(
    desired: Series,
    actual: Series,
    smallest_move: float,
    response_s: float,
    wraps_at: float | None,
) -> StepResponse | Inconclusive:
    pair = pair_up(desired, actual, response_s / _MOST_TAPS, wraps_at)
    if isinstance(pair, Inconclusive):
        return pair
    moves = _moves(pair.desired[pair.is_known], smallest_move)
    refusal = _too_little(pair, moves, smallest_move, response_s)
    if refusal is not None:
        return refusal
    taps = int(np.ceil(response_s / pair.dt))
    parts = _parts(pair, taps)
    if len(parts) < _PARTS:
        return Inconclusive(
            "The flight is torn by gaps.", "Improve the link, or record longer without a break."
        )
    roughness, explained = _best_roughness(parts)
    if explained < _LEAST_EXPLAINED:
        return Inconclusive(
            f"Only {100.0 * max(explained, 0.0):.0f} % of the movement follows the desired value.",
            "Choose calm air and the mode this axis is flown in, and move the stick more.",
        )
    found = _described(pair.dt, parts, roughness, explained)
    return replace(found, moves=moves) if isinstance(found, StepResponse) else found


def _too_little(
    pair: Pair, moves: int, smallest_move: float, response_s: float
) -> Inconclusive | None:
    known_s = float(pair.is_known.sum()) * pair.dt
    if known_s < 8.0 * response_s:
        return Inconclusive(
            f"{known_s:.1f} s are too short.",
            f"Record at least {8.0 * response_s:.0f} s.",
        )
    if moves < 4:
        return Inconclusive(
            f"The stick moved {moves} times by more than {smallest_move:g}.",
            "Move it quickly to and fro, at least four times.",
        )
    return None


def _moves(values: Array, least: float) -> int:
    """How often the value went at least this far before it turned back as far."""
    moves, low, high, is_up, is_down = 0, values[0], values[0], False, False
    for value in values:
        low, high = min(low, value), max(high, value)
        if value - low >= least and not is_up:
            moves, high, is_up, is_down = moves + 1, value, True, False
        elif high - value >= least and not is_down:
            moves, low, is_up, is_down = moves + 1, value, False, True
    return moves


def _parts(pair: Pair, taps: int) -> list[_Part]:
    """Normal equations of each part, of the rows whose whole past is known."""
    past = np.lib.stride_tricks.sliding_window_view(pair.desired, taps)[:, ::-1]
    known = np.convolve(~pair.is_known, np.ones(taps), "valid") < 0.5
    rows = np.flatnonzero(known)
    middle = float(pair.actual.mean())
    found = []
    for part in np.array_split(rows, _PARTS):
        if len(part) < taps // 2:
            continue
        gram, moment, power = np.zeros((taps + 1, taps + 1)), np.zeros(taps + 1), 0.0
        for begin in range(0, len(part), _CHUNK):
            chosen = part[begin : begin + _CHUNK]
            a = np.column_stack([past[chosen], np.ones(len(chosen))])
            y = pair.actual[chosen + taps - 1] - middle
            gram += a.T @ a
            moment += a.T @ y
            power += float(y @ y)
        found.append(_Part(gram, moment, power, len(part)))
    return found


def _sum(parts: list[_Part]) -> _Part:
    return _Part(
        sum((part.gram for part in parts), np.zeros_like(parts[0].gram)),
        sum((part.moment for part in parts), np.zeros_like(parts[0].moment)),
        sum(part.power for part in parts),
        sum(part.count for part in parts),
    )


def _solve(part: _Part, roughness: float) -> Array:
    """h (taps,) and the constant c, (taps + 1,)."""
    taps = len(part.moment) - 1
    step = np.eye(taps + 1, taps) - np.eye(taps + 1, taps, -1)  # h begins and ends at nothing
    price = np.zeros_like(part.gram)
    scale = np.trace(part.gram[:taps, :taps]) / taps
    price[:taps, :taps] = roughness * scale * (step.T @ step)
    tiny = 1e-12 * scale * np.eye(taps + 1)
    return np.asarray(np.linalg.solve(part.gram + price + tiny, part.moment))


def _best_roughness(parts: list[_Part]) -> tuple[float, float]:
    """The price that predicts each part best from the others, and the share it explains."""
    power = _sum(parts).power - float(sum(p.moment[-1] for p in parts)) ** 2 / _sum(parts).count
    lost = []
    for roughness in _ROUGHNESS:
        squares = 0.0
        for i, part in enumerate(parts):
            h = _solve(_sum(parts[:i] + parts[i + 1 :]), float(roughness))
            squares += part.power - 2.0 * float(h @ part.moment) + float(h @ part.gram @ h)
        lost.append(squares)
    best = int(np.argmin(lost))
    return float(_ROUGHNESS[best]), 1.0 - lost[best] / max(power, 1e-12)


def _described(
    dt: float, parts: list[_Part], roughness: float, explained: float
) -> StepResponse | Inconclusive:
    # A change within an interval is on average fully seen one interval later.
    taps = len(parts[0].moment) - 1
    times = np.asarray(dt * np.arange(taps + 1), dtype=np.float64)
    whole = _step(_solve(_sum(parts), roughness))
    without = [
        _step(_solve(_sum(parts[:i] + parts[i + 1 :]), roughness)) for i in range(len(parts))
    ]
    figures = _figures(times, whole)
    if figures is None:
        return Inconclusive(
            "The response does not arrive anywhere.", "Record longer, with more movement."
        )
    errors = _jackknife(np.array(without))
    varied = [found for found in (_figures(times, row) for row in without) if found is not None]
    rise_error = float(_jackknife(np.array([[f.rise_s] for f in varied]))[0])
    overshoot_error = float(_jackknife(np.array([[f.overshoot_percent] for f in varied]))[0])
    is_fine = figures.rise_s >= _COARSEST * dt
    is_sure = rise_error < 0.15 * figures.rise_s and overshoot_error < 8.0
    is_sure = is_sure and explained >= _GOOD_EXPLAINED and len(varied) == len(parts)
    is_reliable = is_fine and is_sure
    verdict = (
        f"Rises in {1000.0 * figures.rise_s:.0f} ms (± {1000.0 * rise_error:.0f}) and overshoots "
        f"by {figures.overshoot_percent:.0f} % (± {overshoot_error:.0f}); "
        f"{100.0 * explained:.0f} % of the movement follows the desired value."
    )
    if not is_fine:
        verdict += " The readings are too slow for this rise: raise the telemetry rate."
    elif not is_reliable:
        verdict += " That is uncertain: fly more of it."
    return StepResponse(
        **asdict(figures),
        times=times,
        response=whole,
        errors=errors,
        rise_error_s=rise_error,
        overshoot_error_percent=overshoot_error,
        explained=explained,
        is_reliable=is_reliable,
        verdict=verdict,
        moves=0,
        lacks_rate=not is_fine,
    )


def _step(h: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(h[:-1])])


def _jackknife(rows: Array) -> Array:
    """Standard errors from estimates that each leave one of n parts out."""
    n = len(rows)
    return np.asarray(np.sqrt((n - 1) / n * ((rows - rows.mean(axis=0)) ** 2).sum(axis=0)))


def _figures(times: Array, response: Array) -> _Figures | None:
    final = response[-int(len(response) * _FINAL_SHARE) :]
    gain = float(final.mean())
    if gain <= 0.05 or float(np.ptp(final)) > 0.5 * gain:
        return None
    share = response / gain
    crossings = [_first_above(times, share, level) for level in (0.1, 0.5, 0.9)]
    if None in crossings:
        return None
    low, half, high = (float(x) for x in crossings if x is not None)
    outside = np.flatnonzero(np.abs(share - 1.0) > _SETTLED)
    last = int(outside[-1]) if len(outside) else 0
    settling = float(times[last + 1]) if last + 1 < len(times) - 1 else None
    overshoot = max(100.0 * (_peak(share) - 1.0), 0.0)
    return _Figures(gain, high - low, half, overshoot, settling)


def _first_above(times: Array, share: Array, level: float) -> float | None:
    above = np.flatnonzero(share >= level)
    if not len(above) or above[0] == 0:
        return None
    k = int(above[0])
    part = (level - share[k - 1]) / (share[k] - share[k - 1])
    return float(times[k - 1] + part * (times[k] - times[k - 1]))


def _peak(share: Array) -> float:
    """The highest value, between samples by the parabola through its neighbours."""
    k = int(np.argmax(share))
    if k in (0, len(share) - 1):
        return float(share[k])
    a, b, c = share[k - 1 : k + 2]
    bend = a - 2.0 * b + c
    return float(b - (c - a) ** 2 / (8.0 * bend)) if bend < 0.0 else float(b)
