"""Start-up: the alarms of a board that is not ready yet.

What takes long after power-up is the height. A state estimation that goes by GPS waits for the
first good position, and then finds the barometer's zero over 499 samples of it (INIT_CYCLES of
flight/modules/StateEstimation/filterbaro.c; without GPS 500 from the start), all the while
Critical. INS13 begins with nothing before that, so that neither Attitude nor Nav is ready, and
without an attitude the outer loop does not run, which makes Stabilization Critical (filterekf.c,
innerloop.c). The complementary filters have an attitude earlier: for four seconds they wait for
hands to be taken off, which is an Error (CALIBRATION_DELAY_MS of filtercf.c). An alarm is taken
back after 100 rounds without it (stateestimation.c).

Firmware in lockstep with an AR100B is ready after 14.2 s so: 4.2 s to a position, and 10 s of a
barometer at 50 Hz. Connecting and reading what is on board add to that.
"""

from collections.abc import Mapping
from typing import Final

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Start
from simulation.estimation.ins13_sensors import FULL_BARO_SAMPLES, QUICK_BARO_SAMPLES
from simulation.records.interface import (
    FUSION_COMPLEMENTARY,
    FUSION_COMPLEMENTARY_MAG,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13,
    FUSION_INS13_CF,
    GPS_FIX_3D,
)
from simulation.records.members import Members

_INIT_CYCLES: Final = FULL_BARO_SAMPLES
BARO_SAMPLES: Final[Mapping[Start, int]] = {
    "quick": QUICK_BARO_SAMPLES,
    "real": FULL_BARO_SAMPLES,
}
"""Over so many INS13 finds the height at which it begins."""
_HANDS_OFF_US: Final = 4_000_000
_TAKEN_BACK_US: Final = 200_000
"""100 rounds, one for each gyro sample."""
_BY_GPS: Final = (FUSION_COMPLEMENTARY_MAG_GPS, FUSION_INS13, FUSION_INS13_CF)
_NAVIGATING: Final = (FUSION_INS13, FUSION_INS13_CF)
_LEVELLING: Final = (
    FUSION_COMPLEMENTARY,
    FUSION_COMPLEMENTARY_MAG,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13_CF,
)
_ASKED_TO_WAIT: Final = {"Attitude": "Critical", "Stabilization": "Critical"}


class StartUp:
    """Tells which alarms are raised because it has not ended."""

    def __init__(self, board: SimulatedBoard, output: Members, start: Start) -> None:
        self._output = output
        self._home, self._gps = board["HomeLocation"], board["GPSSettings"]
        self._is_over = start == "quick"
        self._baro_at: int | None = None
        """How many samples there were when those that count began."""
        self._height_known_us: int | None = None

    def alarms(self, now_us: int, asked_s: float = 0.0) -> Mapping[str, str]:
        """By name, run ten times per second. `asked_s` is how long it shall wait in any case."""
        raised = {} if self._is_over else self._raised(now_us)
        return _ASKED_TO_WAIT if now_us < asked_s * 1e6 else raised

    def _raised(self, now_us: int) -> dict[str, str]:
        fusion = int(self._output["fusion"])
        self._find_height(now_us, fusion)
        known_us = self._height_known_us
        is_levelling = fusion in _LEVELLING
        hands_off_us = _HANDS_OFF_US if is_levelling else 0
        self._is_over = known_us is not None and now_us >= _TAKEN_BACK_US + max(
            known_us, hands_off_us
        )
        if self._is_over:
            return {}
        has_attitude = now_us >= hands_off_us if is_levelling else known_us is not None
        raised = {"Attitude": "Error" if now_us < hands_off_us else "Critical"}
        if not has_attitude:
            raised["Stabilization"] = "Critical"
        if fusion in _NAVIGATING and known_us is None:
            raised["Nav"] = "Critical"
        return raised

    def _find_height(self, now_us: int, fusion: int) -> None:
        count, goes_by_gps = int(self._output["baro_count"]), fusion in _BY_GPS
        if self._baro_at is None:
            if not fusion or (goes_by_gps and not self._has_position()):
                return
            self._baro_at = count
        if self._height_known_us is None and count - self._baro_at >= _INIT_CYCLES - goes_by_gps:
            self._height_known_us = now_us

    def _has_position(self) -> bool:
        """What filterlla.c takes for one."""
        output, settings = self._output, self._gps.fields
        return (
            self._home.option("Set") == "True"
            and int(output["gps_status"]) >= GPS_FIX_3D
            and int(output["gps_satellites"]) >= int(settings["MinSatellites"])
            and float(output["gps_pdop"]) < float(settings["MaxPDOP"])
        )
