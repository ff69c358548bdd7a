"""Headless flights: as fast as the machine can, or in step with a clock.

The flight itself never depends on which: everything happens at loop boundaries of simulated
time (see `simulation.autopilot.autopilot`).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from simulation.autopilot.autopilot import (
    LOOP_US,
    Autopilot,
    AutopilotConfig,
    power_up,
)
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.snapshot import settings_frames
from simulation.scenarios.carriers import Carrier, DirectCarrier, LinkCarrier, SentBytes
from simulation.scenarios.flight_measures import measure
from simulation.scenarios.pilot import Pilot, heard_by_pilot, object_of_link
from simulation.scenarios.scenario import Scenario, ScenarioStep
from simulation.scenarios.scripted_world import ScriptedWorld
from simulation.scenarios.state_recorder import Record, StateRecorder
from simulation.scenarios.track import OutputTrack
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.wire.dialect import Dialect
from telemetry.recording.sample import Sample

Pace = Callable[[float], None]
Rows = npt.NDArray[np.intp]


class SimulatedFlight:
    """One aircraft, optionally with a scripted pilot and then watched while it flies."""

    def __init__(
        self,
        config: AutopilotConfig,
        catalogue: Catalogue,
        scenario: Scenario | None = None,
        *,
        without_link: bool = False,
    ) -> None:
        """`scenario` adds its pilot and its world; its settings have to be in `config`.
        `without_link`: nobody listens to the bytes of the embedded board. It sends none, and flies
        the same in less time. With a link the pilot does not need it either, unless its script
        names what depends on the link, or a firmware flies.

        Raises ValueError for settings, controls or modes that do not exist, and for a firmware that
        cannot be flown.
        """
        self.scenario = scenario
        heard = () if scenario is None else heard_by_pilot(scenario, catalogue)
        needs_link = scenario is not None and object_of_link(scenario, catalogue) != ""
        is_direct = without_link or not (needs_link or config.firmware)
        if is_direct:
            config = replace(config, heard=heard, has_link=not without_link)
        self.aircraft = power_up(config, catalogue)
        self._config = config
        self._catalogue = catalogue
        self.track = OutputTrack()
        self.pilot: Pilot | None = None
        self._world = ScriptedWorld(self.aircraft.simulator, scenario.world if scenario else {})
        if is_direct:
            sent = None if without_link else SentBytes(self.aircraft)
            self._carrier: Carrier = DirectCarrier(self.aircraft.board, sent)
            read = self.autopilot.hearing.read
        else:
            self._carrier = link = LinkCarrier(self.aircraft, heard)
            read = link.heard.read
        if scenario is not None:
            self.pilot = Pilot(scenario, catalogue, self._settings, read)

    @property
    def autopilot(self) -> Autopilot:
        """The embedded board. Raises TypeError where a firmware flies in its place."""
        if not isinstance(self.aircraft, Autopilot):
            raise TypeError("a firmware flies in the place of the embedded board")
        return self.aircraft

    @property
    def steps(self) -> Sequence[ScenarioStep]:
        """The script; empty without a scenario."""
        return self.scenario.steps if self.scenario else ()

    @property
    def is_done(self) -> bool:
        """Whether the script, or the simulation, has come to its end. Without a pilot only the
        latter can be."""
        if self.aircraft.diverged is not None:
            return True
        return self.pilot is not None and self.pilot.is_done

    @property
    def has_crashed(self) -> bool:
        """Whether it hit the ground too hard or lies tilted."""
        return bool(self.aircraft.simulator.output["crashed"])

    @property
    def diverged(self) -> str:
        """Why the simulation had to stop, with the last good state; empty if it had not."""
        return "" if self.aircraft.diverged is None else str(self.aircraft.diverged)

    @property
    def log_hash(self) -> str:
        """SHA-256 over what the aircraft sent so far and when, in simulated time; "" without a
        link."""
        return self._carrier.log_hash

    def run_loop(self) -> bytes:
        """Advance by one loop and return what the aircraft sent."""
        aircraft = self.aircraft
        if self.pilot is not None:
            words = self.pilot.update(aircraft.time_us)
            self._world.follow(self.pilot)
            if words:
                self._carrier.tell(words)
        aircraft.run_loop()
        data = self._carrier.hear()
        if self.pilot is not None:
            self.track.add(aircraft.simulator.output, self.pilot.step_index)
        return data

    def record_states(self, record: Record, every: int) -> StateRecorder:
        """Have truth, states and setpoints recorded every so many steps, and samples as they come.
        The flight does not depend on it."""
        board, aircraft = SimulatedBoard(self._catalogue, self._config.preset), self.aircraft
        recorder = StateRecorder(aircraft.simulator, record, board, aircraft.board)
        recorder.watch(every)
        return recorder

    def metrics(self) -> dict[str, float]:
        """What the scenario measures, by metric; NaN where there was nothing to measure."""
        if self.scenario is None or not len(self.track):
            return {}
        return {m.metric: measure(m, self.track, self.steps) for m in self.scenario.measures}

    def rows(self, label: str, after_s: float = 0.0) -> Rows:
        """The numbers of the track's rows flown in the steps of that label, without the first
        `after_s`."""
        numbers = [i for i, step in enumerate(self.steps) if step.label == label]
        rows = np.flatnonzero(np.isin(self.track.script, numbers))
        time_s = self.track.time_s[rows]
        return rows[time_s - time_s[0] >= after_s] if rows.size else rows

    def script_failure(self) -> str:
        """Which step could not be done, as a sentence; empty if all went to plan."""
        if self.pilot is None or (self.is_done and not self.pilot.failure):
            return ""
        return self.pilot.failure or "The script did not come to its end."

    def _settings(self, name: str) -> Sample | None:
        """What a station would have fetched before it flies."""
        try:
            entry = self.aircraft.board[name]
        except KeyError:
            return None
        is_fetched = entry.definition.settings
        return Sample(0.0, entry.definition, 0, entry.row) if is_fetched else None


def fly(
    flight: SimulatedFlight,
    duration_s: float | None,
    record: Record | None,
    pace: Pace | None,
    record_steps: int = 0,
) -> None:
    """Run a flight to the end of its script or of `duration_s`, whichever comes first.

    `record` is given the seconds and the bytes: first all settings, then what the aircraft sent,
    and with `record_steps` instead of what is recorded to the step, see StateRecorder. `pace` is
    called with the simulated time before each loop and may wait. At least one of a script and a
    duration is needed for this to end.
    """
    recorder = None
    if record is not None:
        record(0.0, settings_frames(flight.aircraft.board, Dialect()))
        if record_steps:
            recorder = flight.record_states(record, record_steps)
    end_us = math.inf if duration_s is None else duration_s * 1e6
    aircraft = flight.aircraft
    while aircraft.time_us + LOOP_US <= end_us and not flight.is_done:
        if pace is not None:
            pace(aircraft.now_s)
        data = flight.run_loop()
        if recorder is not None:
            data = recorder.not_written_here(data)
        if record is not None and data:
            record(aircraft.now_s, data)
