"""A script that flies: it prints where the sticks shall be, fifty times a second.

Run it in *Controllers*, *Programs*, and choose it under *Who flies*. The throttle stays in the
middle, which holds the height in a mode with AltitudeVario.
"""

import json
import math
from itertools import count
from threading import Event

STEP_S = 0.02
PERIOD_S = 12.0
TILT = 0.2


def sticks(t: float) -> dict[str, list[float]]:
    """A lying eight: roll once, pitch twice in a period."""
    phase = 2.0 * math.pi * t / PERIOD_S
    return {"axes": [TILT * math.cos(phase), TILT * math.cos(2.0 * phase), 0.0, 0.0]}


if __name__ == "__main__":
    pause = Event()
    for step in count():
        print(json.dumps(sticks(step * STEP_S)), flush=True)
        pause.wait(STEP_S)
