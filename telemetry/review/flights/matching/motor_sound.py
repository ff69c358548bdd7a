"""Motor sound comparison: does a video sound as a log commands its motors, with what offset?"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.correlation import GridSignal, correlations, on_grid
from telemetry.review.flights.matching.facts import LogFacts
from telemetry.review.flights.synchronisation.motion_signals import SoundPitch

_Column = npt.NDArray[np.float64]

_STEP_S: Final = 0.25
_QUIETEST_DB: Final = -60.0
_LEAST_COMMON_S: Final = 20.0
_LEAST_SHARE: Final = 0.5
"""Of the shorter of the two: a few seconds of anything resemble anything."""
_LEAST_LIKENESS, _LEAST_LEAD = 0.6, 0.1
_NEAR_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class SoundLikeness:
    """`correlation` of loudness and motor command at the best offset, `medium = offset + flight`;
    `lead` is by how much it is better than any offset further away."""

    correlation: float
    offset_s: float
    lead: float

    @property
    def is_clear(self) -> bool:
        """Whether it says that the two belong together."""
        return self.correlation >= _LEAST_LIKENESS and self.lead >= _LEAST_LEAD


def compare_sound(sound: SoundPitch, log: LogFacts) -> SoundLikeness | None:
    """How well a sound track fits the commands to the motors at its best offset.

    None where one of them never changes, or too little of them can lie over each other.
    """
    if len(log.power_times_s) < 2 or len(sound.times_s) < 2:
        return None
    loudness = _signal(sound.times_s, np.maximum(sound.energy_db, _QUIETEST_DB))
    power = _signal(log.power_times_s, log.power)
    shorter_s = _STEP_S * min(len(loudness.values), len(power.values))
    least_s = max(_LEAST_COMMON_S, _LEAST_SHARE * shorter_s)
    if shorter_s < least_s or not np.ptp(loudness.values) or not np.ptp(power.values):
        return None
    offsets_s, likeness = correlations(loudness, power, least_s)
    best = int(np.argmax(likeness))
    far = np.abs(offsets_s - offsets_s[best]) > _NEAR_S
    lead = likeness[best] - (float(likeness[far].max()) if far.any() else 0.0)
    return SoundLikeness(float(likeness[best]), float(offsets_s[best]), float(lead))


def _signal(times_s: _Column, values: _Column) -> GridSignal:
    span_s = float(times_s[0]), float(times_s[-1])
    return on_grid(times_s, values, span_s, _STEP_S, np.inf)
