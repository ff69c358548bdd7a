"""E5: at which rates, and how regularly, the telemetry and the on-board logger of seed 004 write.

The seed's ground station hears most objects once a second, some ten times and a few twenty times;
buffers in the radio modem shift a stamp by up to 50 ms. Its logger takes objects every 30 ms, and
the controller's scheduler shifts that by well below 5 ms. Stamps of the telemetry are taken here
where a ground station would: after a modem that holds every block back for a random time, and
never lets one overtake another.
"""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np

from simulation.autopilot.data_logger import SENSORS, DataLogger
from simulation.mathematics.random_numbers import philox
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.measures import Column
from simulation.scenarios.scenario import ScenarioError
from simulation.scenarios.state_recorder import Record
from telemetry.protocol.wire.decoder import FrameDecoder

PERIOD_MS: Final = MappingProxyType({"AttitudeState": 50, "PositionState": 100, "GyroState": 1000})
"""One object of each of the seed's rates: 20, 10 and 1 Hz."""
_STREAM = 0x5001
_SETTLE_S = 5.0


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: the rates, and for the logger and the telemetry the widest range by which stamps
    stray from a regular grid."""
    if experiment.controller is not None:
        raise ScenarioError("The logger takes the controller's place here; fly without --sil.")
    logged: list[tuple[float, bytes]] = []
    logger = DataLogger(
        lambda t_s, data: logged.append((t_s, data)),
        period_ms=round(experiment.values["log_period_ms"]),
        most_late_ms=round(experiment.values["scheduling_ms"]),
    )
    config = experiment.config()
    preset = replace(config.preset, telemetry_period_ms=PERIOD_MS)
    heard = _Ground(experiment.seed, experiment.values["modem_ms"], experiment.record)
    # What it hears is what is measured: telemetry, and nothing that --record-rate adds.
    on_air = replace(experiment, record=heard.hear, record_steps=0)
    flight = on_air.fly(config=replace(config, preset=preset, inner_loop=logger))
    ids = {name: flight.autopilot.board[name].definition.object_id for name in PERIOD_MS}
    stamps = {name: heard.stamps_of(object_id) for name, object_id in ids.items()}
    log_stamps = np.array([t_s for t_s, _ in logged])
    rates = {f"telemetry_{1000 // PERIOD_MS[n]}_hz": _rate_hz(t) for n, t in stamps.items()}
    shifts = {name: _shifts_ms(t, PERIOD_MS[name]) for name, t in stamps.items()}
    log_shifts = _shifts_ms(log_stamps, round(experiment.values["log_period_ms"]))
    metrics = {
        "logger_hz": _rate_hz(log_stamps),
        "logger_jitter_ms": float(np.ptp(log_shifts)),
        **rates,
        "telemetry_jitter_ms": max(float(np.ptp(shift)) for shift in shifts.values()),
    }
    dots = tuple(series(name, stamps[name], shifts[name], "dots") for name in PERIOD_MS)
    shown = Axes("Telemetry at the ground", "time, s", "shift of the stamp, ms", dots)
    log = series(", ".join(SENSORS), log_stamps, log_shifts, "dots")
    beside = Axes("On-board logger", "time, s", "shift of the stamp, ms", (log,))
    return outcome_of(flight, metrics, Figure(experiment.scenario.title, (shown, beside)))


class _Ground:
    """What arrives at the ground through a modem, and when."""

    def __init__(self, seed: int, most_late_ms: float, record: Record | None) -> None:
        self._seed = seed
        self._most_late_s = most_late_ms / 1000.0
        self._record = record
        self._decoder = FrameDecoder()
        self._blocks = 0
        self._last_s = 0.0
        self._stamps: dict[int, list[float]] = {}

    def hear(self, t_s: float, data: bytes) -> None:
        """Take a block the aircraft sent at `t_s`."""
        word, _ = philox(self._seed, self._blocks, _STREAM)
        self._blocks += 1
        self._last_s = max(self._last_s, t_s + word / 2.0**32 * self._most_late_s)
        for frame in self._decoder.feed(data):
            self._stamps.setdefault(frame.object_id, []).append(self._last_s)
        if self._record is not None:
            self._record(t_s, data)

    def stamps_of(self, object_id: int) -> Column:
        """When that object arrived, in s, after the aircraft had settled."""
        stamps = np.array(self._stamps.get(object_id, []))
        return stamps[stamps > _SETTLE_S]


def _rate_hz(stamps: Column) -> float:
    return float((len(stamps) - 1) / (stamps[-1] - stamps[0])) if len(stamps) > 1 else 0.0


def _shifts_ms(stamps: Column, period_ms: int) -> Column:
    """How far each stamp is behind a regular grid that none is ahead of."""
    if not len(stamps):
        return np.array([np.nan])
    grid_ms = np.arange(len(stamps), dtype=np.float64) * period_ms
    behind: Column = stamps * 1000.0 - grid_ms
    behind -= behind.min()
    return behind
