"""Oscillation of an axis: frequency and size of the swing in its tracking error.

Lag behind a busy stick is an error, too. So only what the desired value does not itself contain
counts. For that the desired value must come from the sticks: an inner loop's, which follows from
the outer one's error, swings along.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.base.number_text import significant
from telemetry.review.analysis.series import Array, Inconclusive, Series, pair_up

_LOWEST_HZ = 1.0
"""Slower than this an error is lag or wind."""
_FINEST_S = 0.001
_CYCLES = 6.0
_WIDTH = 3
"""Lines of the spectrum that a steady swing of one frequency fills on each side of its peak."""
_SHARE = 0.4
_LAG = 2.25
"""Following badly makes an error of up to this many times the power asked for."""


@dataclass(frozen=True, slots=True)
class Oscillation:
    """The strongest swing of the tracking error.

    `amplitude` is that of a sine, in the error's unit. `share` is how much of the error's own
    power above 1 Hz it makes up, 0 to 1; `highest_hz` is the fastest the readings can show: a swing
    beyond it appears slower than it is.
    """

    is_oscillating: bool
    frequency_hz: float
    amplitude: float
    share: float
    highest_hz: float
    verdict: str


def find_oscillation(
    desired: Series, actual: Series, smallest: float, wraps_at: float | None = None
) -> Oscillation | Inconclusive:
    """The strongest swing of actual - desired; smaller ones than `smallest` are none.

    `wraps_at` is 360 for headings.
    """
    pair = pair_up(desired, actual, _FINEST_S, wraps_at)
    if isinstance(pair, Inconclusive):
        return pair
    error = _longest_known(pair.actual - pair.desired, pair.is_known)
    asked = _longest_known(pair.desired, pair.is_known)
    highest = 0.5 / pair.dt
    if len(error) * pair.dt < _CYCLES / _LOWEST_HZ:
        return Inconclusive(
            f"{len(error) * pair.dt:.1f} s without a gap are too short.",
            f"Record {_CYCLES / _LOWEST_HZ:.0f} s or more.",
        )
    frequencies, power = _spectrum(error, pair.dt)
    lag = np.convolve(_spectrum(asked, pair.dt)[1], np.ones(2 * _WIDTH + 1) * _LAG, "same")
    own = np.where(frequencies >= _LOWEST_HZ, np.clip(power - lag, 0.0, None), 0.0)
    peak = int(np.argmax(own))
    near = slice(max(peak - _WIDTH, 0), peak + _WIDTH + 1)
    mine = float(own[near].sum())
    frequency = float((frequencies[near] * own[near]).sum() / mine) if mine > 0.0 else 0.0
    share = mine / max(float(own.sum()), 1e-30)
    # Straight lines between readings weaken a swing.
    amplitude = float(np.sqrt(2.0 * mine) / np.sinc(min(frequency * pair.dt, 0.5)) ** 2)
    is_oscillating = share >= _SHARE and amplitude >= smallest
    verdict = (
        f"Oscillates at {frequency:.1f} Hz by ± {significant(amplitude, 2)}: "
        "lower the gains of this axis."
        if is_oscillating
        else "No steady oscillation."
    )
    return Oscillation(is_oscillating, frequency, amplitude, min(share, 1.0), highest, verdict)


def _longest_known(error: Array, is_known: npt.NDArray[np.bool_]) -> Array:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], is_known.astype(np.int8), [0]])))
    begins, ends = edges[::2], edges[1::2]
    if not len(begins):
        return error[:0]
    longest = int(np.argmax(ends - begins))
    return error[begins[longest] : ends[longest]]


def _spectrum(error: Array, dt: float) -> tuple[Array, Array]:
    """Frequencies, and the mean square of the error in each line: their sum is its variance."""
    k = np.arange(len(error))
    level = error - np.polyval(np.polyfit(k, error, 1), k)
    window = np.hanning(len(error))
    lines = np.fft.rfft(level * window)
    power = 2.0 * np.abs(lines) ** 2 / (len(error) * float((window**2).sum()))
    return np.asarray(np.fft.rfftfreq(len(error), dt), dtype=np.float64), power
