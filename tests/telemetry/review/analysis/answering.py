"""A recording of a roll axis that answers its stick as a second-order system."""

from functools import cache

import numpy as np

from plugins.testing import add
from telemetry.recording.recording import Recording
from tests.telemetry.review.analysis.axes import FINE_S, answer, stick

RATE_HZ = 40.0


@cache
def answering(
    frequency: float,
    damping: float,
    seconds: float = 24.0,
    acro_s: tuple[float, float] = (np.inf, np.inf),
    mode: str = "Rate",
) -> Recording:
    """Attitude mode but for `acro_s` (start, end), in which the angle does what it likes and the
    stick is recorded as asking for `mode`. The same recording every time: do not add to it."""
    rng = np.random.default_rng(3)
    asked = stick(seconds, rng)
    found = answer(asked, frequency, damping)
    recording = Recording(source="made up")
    for step in range(int(seconds * RATE_HZ)):
        t = step / RATE_HZ
        is_acro = acro_s[0] <= t < acro_s[1]
        k = int(t / FINE_S)
        modes = {"StabilizationMode.Roll": mode if is_acro else "Attitude"}
        add(recording, t, "StabilizationDesired", Roll=float(asked[k]), **modes)
        roll = rng.uniform(-40.0, 40.0) if is_acro else float(found[k])
        add(recording, t, "AttitudeState", Roll=roll)
    return recording
