"""Flights without a window: as fast as the machine can, or in step with a clock.

The flight itself never depends on which: everything happens at loop boundaries of simulated
time (see `simulation.autopilot.autopilot`).
"""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from simulation.autopilot.autopilot import LOOP_US, Autopilot, AutopilotConfig
from simulation.autopilot.snapshot import settings_frames
from simulation.interface import STEP_US
from simulation.scenarios.pilot import Pilot
from simulation.scenarios.scenario import Scenario, Step
from telemetry.objects.catalogue import Catalogue
from telemetry.wire.dialect import Dialect

Record = Callable[[float, bytes], None]
Pace = Callable[[float], None]

_SETTLE_S = 4.0
_AIRBORNE_M = 0.5


@dataclass(slots=True)
class Measures:
    """What a flight amounted to, by the simulator's truth.

    `hold_rms_m` is the horizontal distance from where each hold had settled; `touchdown_mps`
    the sink rate at the last first contact after being airborne; `home_m` the horizontal distance
    at the end from where the flight began.
    """

    max_altitude_m: float = 0.0
    touchdown_mps: float | None = None
    hold_rms_m: float | None = None
    home_m: float | None = None


class Flight:
    """One aircraft, optionally with a scripted pilot, measured while it flies."""

    def __init__(
        self, config: AutopilotConfig, catalogue: Catalogue, scenario: Scenario | None = None
    ) -> None:
        self.autopilot = Autopilot(config, catalogue)
        self._scenario = scenario
        self.measures = Measures()
        self.pilot: Pilot | None = None
        if scenario is not None:
            settings = self.autopilot.board["FlightModeSettings"]
            count = settings.definition.field_named("FlightModePosition").elements
            positions = [settings.option("FlightModePosition", i) for i in range(count)]
            self.pilot = Pilot(scenario, catalogue, positions)
        self._weather_step = -1
        self._ground_m: float | None = None  # known after the first loop
        self._is_airborne = False
        self._sink_mps = 0.0
        self._hold = _HoldMeasure()

    @property
    def is_done(self) -> bool:
        """Whether the script, or the simulation, has come to its end. Without a pilot only the
        latter can be."""
        if self.autopilot.diverged is not None:
            return True
        return self.pilot is not None and self.pilot.is_done

    def run_loop(self) -> bytes:
        """Advance by one loop and return what the aircraft sent."""
        autopilot = self.autopilot
        if self.pilot is not None:
            words = self.pilot.update(autopilot.time_us)
            self._apply_weather(self.pilot)
            if words:
                autopilot.receive(words)
        autopilot.run_loop()
        data = autopilot.bytes_to_send()
        if self.pilot is not None:
            self.pilot.hear(data)
        self._measure()
        return data

    def report(self) -> dict[str, Any]:
        """The outcome, ready for JSON; times of the wall clock are the caller's to add."""
        output = self.autopilot.simulator.output
        north, east, down = (round(float(x), 3) for x in output["true_position"])
        measured = {k: _rounded(v) for k, v in asdict(self.measures).items()}
        return {
            "duration_s": self.autopilot.now_s,
            "steps": self.autopilot.time_us // STEP_US,
            **measured,
            "final": {
                "north_m": north,
                "east_m": east,
                "height_m": round(self._height_m(), 3),
                "down_m": down,
                "armed": self.autopilot.arming.state,
                "battery_v": round(float(output["battery_voltage"]), 2),
                "crashed": bool(output["crashed"]),
            },
            "diverged": str(self.autopilot.diverged) if self.autopilot.diverged else None,
            "failed_step": self.pilot.failed_step if self.pilot else None,
            "passed": self._has_passed(),
        }

    def _has_passed(self) -> bool:
        if self.autopilot.simulator.output["crashed"]:
            return False
        if self._scenario is None or self.pilot is None:
            return True
        if not self.is_done or self.pilot.failed_step is not None:
            return False
        values = asdict(self.measures)
        for name, limit in self._scenario.limits.items():
            value = values.get(name)
            if value is None or value > limit:
                return False
        return True

    def _apply_weather(self, pilot: Pilot) -> None:
        step = pilot.step
        if step is not None and step.do == "wind" and pilot.step_index != self._weather_step:
            self._weather_step = pilot.step_index
            self.autopilot.simulator.set_wind(step.north, step.east, step.gust)

    def _height_m(self) -> float:
        """Metres above where it stood at first."""
        down = float(self.autopilot.simulator.output["true_position"][2])
        if self._ground_m is None:
            self._ground_m = -down
        return -down - self._ground_m

    def _measure(self) -> None:
        output = self.autopilot.simulator.output
        height = self._height_m()
        self.measures.max_altitude_m = max(self.measures.max_altitude_m, height)
        if self._is_airborne and output["touches_ground"]:
            self._is_airborne = False
            self.measures.touchdown_mps = max(0.0, self._sink_mps)
        elif height > _AIRBORNE_M:
            self._is_airborne = True
        self._sink_mps = float(output["true_velocity"][2])
        if self.pilot is not None:
            north, east, _ = output["true_position"].tolist()
            step = self.pilot.step
            self._hold.add(self.autopilot.now_s, step, self.pilot.step_index, (north, east))
            self.measures.hold_rms_m = self._hold.rms_m
            self.measures.home_m = math.hypot(north, east)


class _HoldMeasure:
    """How far the aircraft strays from where it had settled, over all "hold" steps."""

    def __init__(self) -> None:
        self._index = -1
        self._since_s = 0.0
        self._place: tuple[float, float] | None = None
        self._sum = 0.0
        self._count = 0

    @property
    def rms_m(self) -> float | None:
        return math.sqrt(self._sum / self._count) if self._count else None

    def add(self, now_s: float, step: Step | None, index: int, here: tuple[float, float]) -> None:
        if step is None or step.do not in ("hold", "wind"):
            return
        if step.do == "hold" and index != self._index:
            self._index, self._since_s, self._place = index, now_s, None
        if now_s - self._since_s < _SETTLE_S:
            return
        if self._place is None:
            self._place = here
        self._sum += (here[0] - self._place[0]) ** 2 + (here[1] - self._place[1]) ** 2
        self._count += 1


def fly(flight: Flight, duration_s: float | None, record: Record | None, pace: Pace | None) -> None:
    """Run a flight to the end of its script or of `duration_s`, whichever comes first.

    `record` is told the seconds and the bytes: first all settings, then what the aircraft sent.
    `pace` is called with the simulated time before each loop and may wait. At least one of a
    script and a duration is needed for this to end.
    """
    if record is not None:
        record(0.0, settings_frames(flight.autopilot.board, Dialect()))
    end_us = math.inf if duration_s is None else duration_s * 1e6
    while flight.autopilot.time_us + LOOP_US <= end_us and not flight.is_done:
        if pace is not None:
            pace(flight.autopilot.now_s)
        data = flight.run_loop()
        if record is not None and data:
            record(flight.autopilot.now_s, data)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
