"""Experiment: what it is given, and the outcome that it hands back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simulation.autopilot.autopilot import AutopilotConfig, FlownFirmware
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import Preset, load_preset
from simulation.environment.wind_table import WindTable
from simulation.records.flight import COMMANDED, FIXED_WING, ROTORCRAFT
from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.figure import Figure
from simulation.scenarios.flight import Pace, SimulatedFlight, fly
from simulation.scenarios.pilot import object_of_link
from simulation.scenarios.scenario import Scenario, ScenarioError, ScenarioStep, overlaid
from simulation.scenarios.state_recorder import TELEMETRY_STEPS, Record, StateRecorder
from simulation.scenarios.track import OutputTrack
from simulation.sil.loop import SoftwareInTheLoop
from simulation.simulator import controls
from simulation.simulator.external_force import NO_FORCE, ExternalForce
from simulation.simulator.simulator import Simulator
from simulation.worlds.flight_path import PATH_STEPS, PathRecorder
from telemetry.protocol.objects.catalogue import Catalogue

if TYPE_CHECKING:
    from simulation.perception.sensor_recorder import SensorRecorder
    from simulation.simulator.flown_world import FlownWorld

_WAIT_FOR_PLACE: Final = ScenarioStep("wait", seconds=6.0)
"""Who arms before the first fix takes off for home: until then that is where the aircraft believes
to be."""
LONGEST_S = 3600.0
"""Simulated time after which a scripted flight is given up: its steps ought to have ended."""


_KINDS = {
    ROTORCRAFT: "a rotorcraft",
    FIXED_WING: "an aeroplane",
    COMMANDED: "an aircraft that follows commands",
}


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What came out: metrics by name, the seed's figure, and a digest of what happened: of what the
    aircraft sent, or, of a bare simulator, of its truth; "" of a board flown without a link, whose
    track has a digest of its own.

    `crashed` fails the scenario unless it `may_crash`; `script` and `diverged` say what else
    went wrong; `note` is a sentence for the report. `seeds`: what was flown with so many seeds, the
    experiment's own and those after it. `duration_s` is the simulated time of all
    flights together, filled in by the framework if left at 0.
    """

    metrics: Mapping[str, float]
    figure: Figure | None = None
    log_hash: str = ""
    crashed: bool = False
    script: str = ""
    diverged: str = ""
    note: str = ""
    duration_s: float = 0.0
    seeds: int = 1


def outcome_of(
    flight: SimulatedFlight, metrics: Mapping[str, float], figure: Figure | None, note: str = ""
) -> RunOutcome:
    """What came out of one scripted flight."""
    return RunOutcome(
        metrics,
        figure,
        flight.log_hash,
        flight.has_crashed,
        flight.script_failure(),
        flight.diverged,
        note,
    )


def outcome_of_bare(
    flight: BareFlight, metrics: Mapping[str, float], figure: Figure | None
) -> RunOutcome:
    """What came out of one flight of a bare simulator."""
    crashed = bool(flight.simulator.output["crashed"])
    return RunOutcome(metrics, figure, flight.track.digest(), crashed)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One run of a scenario: what to fly, with which numbers, and the means to do so.

    `values` are the scenario's parameters. The first flight made is the one that is recorded.
    `deviations` are what of the aircraft's file is otherwise in the one that is flown, by dotted
    name. `limit_s` ends scripted flights early, if a user wants that. A `controller` flies in the
    place of the algorithms on board, a `firmware` in the place of the whole board. `wind` changes
    over time and adds to the constant one, `force` to air, ground and motors. A `world` stands in
    for the scenario's. `without_link`: nobody asks for what the aircraft sends, nor for its digest,
    so that boards fly without a link where they can (`way_flown`).
    `record_steps`: truth and states are recorded every so many steps; 0: as often as telemetry
    sends them, or 50 times a second by a bare simulator. `track` is given all of OUTPUT as often,
    `path` what a film is made from; `sensors` records what they see.
    """

    scenario: Scenario
    seed: int
    aircraft: str
    catalogue: Catalogue
    deviations: Mapping[str, Any] = field(default_factory=dict)
    record: Record | None = None
    pace: Pace | None = None
    limit_s: float | None = None
    controller: SoftwareInTheLoop | None = None
    firmware: FlownFirmware | None = None
    wind: WindTable | None = None
    force: ExternalForce = NO_FORCE
    world: "FlownWorld | None" = None
    record_steps: int = 0
    track: OutputTrack | None = None
    path: PathRecorder | None = None
    sensors: "SensorRecorder | None" = None
    without_link: bool = False
    made: list[Simulator] = field(default_factory=list)

    @property
    def values(self) -> Mapping[str, float]:
        """The parameters after `--set`."""
        return self.scenario.values

    @property
    def simulated_s(self) -> float:
        """Simulated time of all flights made so far."""
        return sum(simulator.time_us for simulator in self.made) / 1e6

    @property
    def way_flown(self) -> str:
        """Which way its flights take, and why, in words without a full stop. (Experiments that
        listen to what is sent keep their link in any case.)"""
        if self.scenario.without_board and not self.scenario.steps:
            return f"kernel alone: the scenario {self.scenario.without_board}"
        why = self._why_linked(self.scenario)
        if why:
            return f"board over UAVTalk: {why}"
        return "board without a link: nobody listens to its bytes"

    def _why_linked(self, scenario: Scenario) -> str:
        if not self.without_link:
            return "what it sends is part of the outcome"
        if self.record is not None:
            return "logs are kept"
        if self.firmware is not None:
            return "a firmware flies it"
        name = object_of_link(scenario, self.catalogue)
        return f"a step names {name}, which depends on the link" if name else ""

    @property
    def flown_world(self) -> "FlownWorld | None":
        """Where it is flown; None: over level ground without end. Raises WorldError."""
        if self.world is not None or not self.scenario.world_file:
            return self.world
        from simulation.simulator.flown_world import open_world

        return open_world(self.scenario.world_file, self.seed)

    def preset(self, aircraft: str | None = None) -> Preset:
        """The airframe's preset with the scenario's settings over it. Only the experiment's own
        aircraft deviates from its file."""
        preset = load_preset(aircraft or self.aircraft)
        is_own = aircraft in (None, self.aircraft)
        return replace(
            preset,
            objects=overlaid(preset.objects, self.scenario.settings),
            deviations=self.deviations if is_own else {},
        )

    def insist_on(self, kind: int) -> None:
        """Refuse an aircraft that is not of this kind (a key of `_KINDS`): there would be
        nothing to measure. Raises ScenarioError."""
        if self.preset().load_aircraft().parameters["kind"] != kind:
            what = _KINDS[kind]
            raise ScenarioError(
                f"The scenario '{self.scenario.name}' measures {what}, which {self.aircraft} is "
                f"not; give --aircraft one, such as {self.scenario.aircraft}."
            )

    def simulator(
        self,
        seed_offset: int = 0,
        aircraft: str | None = None,
        change: Callable[[np.void], None] | None = None,
    ) -> Simulator:
        """A bare simulator, configured as the aircraft leaves the factory and as the scenario
        says. It stands on the ground at time 0. `change` may write to the aircraft's PARAMETERS
        before anything depends on them."""
        preset = self.preset(aircraft)
        kind = preset.load_aircraft()
        if change is not None:
            change(kind.parameters)
        simulator = factory_simulator(preset, self.catalogue, self.seed + seed_offset, kind)
        if self.flown_world is not None:
            simulator.enter(self.flown_world)
        for name, value in self.scenario.world.items():
            controls.apply(simulator, name, value)
        if self.wind is not None:
            simulator.set_wind_table(self.wind)
        simulator.act_with(self.force)
        self._note_made(simulator)
        return simulator

    def bare_flight(
        self,
        simulator: Simulator,
        members: Sequence[str] = (),
        sample_steps: int = 20,
    ) -> BareFlight:
        """Watch a bare simulator: see BareFlight. Recorded if it is the first flight."""
        recorder = None
        if self.record is not None and simulator is self.made[0]:
            board = SimulatedBoard(self.catalogue, self.preset())
            recorder = StateRecorder(simulator, self.record, board, shows_truth=True)
        return BareFlight(simulator, members, sample_steps, recorder, self._every)

    def config(self, seed_offset: int = 0, aircraft: str | None = None) -> AutopilotConfig:
        """An aircraft with its complete autopilot, set up as the scenario says."""
        return AutopilotConfig(
            self.preset(aircraft),
            self.seed + seed_offset,
            inner_loop=self.controller,
            wind=self.wind,
            force=self.force,
            world=self.flown_world,
            start=self.scenario.start,
            firmware=self.firmware,
        )

    def flight(
        self,
        steps: Sequence[ScenarioStep] | None = None,
        seed_offset: int = 0,
        aircraft: str | None = None,
        config: AutopilotConfig | None = None,
    ) -> SimulatedFlight:
        """A flight of a script (the scenario's own by default) at its beginning; without steps
        nobody flies it.

        `config` stands in for that of `config(seed_offset, aircraft)`.
        """
        config = config or self.config(seed_offset, aircraft)
        flown = self.scenario.steps if steps is None else tuple(steps)
        if flown and config.world is not None and config.world.starts_away_from_home:
            flown = (_WAIT_FOR_PLACE, *flown)
        scenario = replace(self.scenario, steps=flown)
        flight = SimulatedFlight(
            config,
            self.catalogue,
            scenario if flown else None,
            without_link=not self._why_linked(scenario),
        )
        self._note_made(flight.aircraft.simulator, flight)
        return flight

    def fly(
        self,
        steps: Sequence[ScenarioStep] | None = None,
        seed_offset: int = 0,
        aircraft: str | None = None,
        config: AutopilotConfig | None = None,
    ) -> SimulatedFlight:
        """The same, flown to its end."""
        flight = self.flight(steps, seed_offset, aircraft, config)
        record = self.record if len(self.made) == 1 else None
        fly(flight, self.limit_s or LONGEST_S, record, self.pace, self.record_steps)
        return flight

    @property
    def _every(self) -> int:
        return self.record_steps or TELEMETRY_STEPS

    def _note_made(self, simulator: Simulator, flight: SimulatedFlight | None = None) -> None:
        track = self.track
        if track is not None and not self.made:
            simulator.watch(lambda output: track.add(output, _step_done(flight)), self._every)
        if self.path is not None and not self.made:
            simulator.watch(self.path.add, PATH_STEPS)
        if self.sensors is not None and not self.made:
            self.sensors.carry(simulator)
        self.made.append(simulator)


def _step_done(flight: SimulatedFlight | None) -> int:
    """The number of the scenario's step that is being done, without the wait for a place, which it
    does not have; -1 for none."""
    if flight is None or flight.pilot is None:
        return -1
    return max(flight.pilot.step_index - (flight.steps[0] is _WAIT_FOR_PLACE), -1)


Run = Callable[[Experiment], RunOutcome]
"""What a module in `simulation.scenarios.experiments` calls `run`."""
