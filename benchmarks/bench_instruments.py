"""Primary flight display: the time to paint one frame, in software.

Measured in processor time of the painting thread, which other work on the machine disturbs least.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from statistics import median, quantiles

from benchmarks.result import BenchmarkResult, at_most

SIDE_PX = 600
FRAMES = 400
MEDIAN_BAR_MS = 2.0


def run() -> Iterator[BenchmarkResult]:
    """Paint a turning, climbing flight at 600 by 600 pixels offscreen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication([])
    times_ms = _paint_flight()
    del app
    yield at_most("flight display 600x600, median", median(times_ms), "ms/frame", MEDIAN_BAR_MS)
    yield at_most("flight display 600x600, 99 %", quantiles(times_ms, n=100)[98], "ms/frame", 4.0)


def _paint_flight() -> list[float]:
    """Milliseconds of every frame; each differs from the one before in all instruments."""
    from PySide6.QtGui import QPixmap

    from telemetry.recording.flight_state import FlightState
    from telemetry.vehicle.vehicle import LinkState, LinkStatus
    from widgets.flight_display import FlightDisplay
    from widgets.theme import load_theme

    display = FlightDisplay(load_theme("dark"))
    display.resize(SIDE_PX, SIDE_PX)
    target = QPixmap(SIDE_PX, SIDE_PX)
    status = LinkStatus(state=LinkState.CONNECTED, quality_percent=98)
    start = FlightState(
        t=0.0,
        attitude_age_s=0.02,
        armed="Armed",
        flight_mode="Stabilized1",
        gps_fix="Fix3D",
        gps_satellites=11,
        battery_v=11.4,
        battery_a=8.2,
        battery_percent=62.0,
        desired_roll_deg=20.0,
        desired_pitch_deg=5.0,
        desired_yaw_deg=80.0,
        desired_height_m=30.0,
    )
    times_ms = []
    for frame in range(FRAMES + 20):
        state = replace(
            start,
            roll_deg=frame * 0.31 - 60.0,
            pitch_deg=frame * 0.1 - 20.0,
            yaw_deg=frame * 1.1 % 360.0,
            height_m=frame * 0.37,
            climb_mps=frame * 0.02 - 4.0,
            groundspeed_mps=frame * 0.05,
            course_deg=frame * 0.7 % 360.0,
            north_m=-40.0,
            east_m=frame * 0.3,
            lateral_mps2=frame * 0.01 - 2.0,
        )
        began = time.thread_time()
        display.show_state(state, status)
        display.render(target)
        times_ms.append((time.thread_time() - began) * 1000.0)
    return times_ms[20:]


if __name__ == "__main__":
    for result in run():
        print(result)
