"""Simulated cameras: how fast they are drawn, on one core and without a graphics card.

In processor time of all threads, of which the renderer has a single one, so that a picture under
33.3 ms means 30 a second on one core.
"""

import math
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.result import BenchmarkResult, at_least, at_most, beside
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import set_euler
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world

BAR_MS = 33.3
SECONDS = 33.0
RATE_HZ = 4.0
"""Slower than the camera's, so that not too many pictures show all sides; about as many steps of a
flight are between two of them as at 30 a second, where each step counts."""
SHUTTER_ONLY = {
    **dict.fromkeys(("exposure_ms", "auto_exposure_s", "vignetting", "noise"), 0.0),
    **dict.fromkeys(("white_balance", "broken", "blur_px"), 0.0),
}

GLOBAL_SHUTTER = {**SHUTTER_ONLY, "readout_ms": 0.0}
SMALL = {"width_px": 64, "height_px": 64}


def run() -> Iterator[BenchmarkResult]:
    """A circuit over the village at 50 m, as an aeroplane flies it; then small cameras in an
    office."""
    os.environ["LP_NUM_THREADS"] = "1"
    import cv2

    cv2.setNumThreads(1)
    around = Surroundings(make_scene(load_world("village")))
    yield at_most(
        "640x480 with rolling shutter", _picture_ms(around, SHUTTER_ONLY), "ms/frame", BAR_MS
    )
    everything = _picture_ms(around, {})
    yield beside("the same, blur, noise, exposure, damage", everything, "ms/frame", "every fault")
    still = _picture_ms(around, GLOBAL_SHUTTER)
    yield beside("the same, global shutter", still, "ms/frame", "only drawn")
    around = Surroundings(make_scene(load_world("office")))
    alone = _picture_ms(around, {**SHUTTER_ONLY, **SMALL})
    yield at_most("64x64 in the office, rolling shutter", alone, "ms/frame", 1.0)
    ring = _picture_ms(around, {**SHUTTER_ONLY, **SMALL}, 8)
    yield at_least("ring of 8 of them", 1e3 / ring, "frames/s", 1600.0)
    alone = _picture_ms(around, {**GLOBAL_SHUTTER, **SMALL})
    yield at_most("64x64 in the office, global shutter", alone, "ms/frame", 1.0)


def _picture_ms(around: Surroundings, changes: Mapping[str, Any], cameras: int = 1) -> float:
    """Of so many cameras that look in directions all around."""
    path = GivenPath(_circuit)
    own = {"rate_hz": RATE_HZ, **changes}
    ways = [(0.0, -12.0, 360.0 / cameras * number) for number in range(cameras)]
    suite = PerceptionSuite(
        path,
        around,
        [
            SensorMount(f"camera-{number}", "price-camera", attitude_deg=way, changes=own)
            for number, way in enumerate(ways)
        ],
    )
    taken: list[int] = []
    suite.subscribe(lambda sample: taken.append(sample.sample.number))
    path.advance(1000)
    taken.clear()
    start_s = time.process_time()
    path.advance(round(1e3 * SECONDS))
    return (time.process_time() - start_s) / len(taken) * 1e3


def _circuit(time_s: float) -> Pose:
    """To the left at 15 m/s, 80 m of radius, banked."""
    angle = 15.0 / 80.0 * time_s
    attitude = [0.0] * 4
    set_euler(attitude, math.radians(-16.0), math.radians(3.0), -angle)
    return (80.0 * math.sin(angle), 80.0 * (math.cos(angle) - 1.0), -50.0), attitude
