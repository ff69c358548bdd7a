"""Our own autopilot as the real board, wired to a HitlFlight in memory, in one simulated time."""

from pathlib import Path
from typing import Any

from simulation.aircraft import load_aircraft
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.hitl.flight import HitlFlight, HitlPhase
from simulation.hitl.pilot import HitlPilot
from simulation.hitl.plan import HitlPlan
from simulation.scenarios.scenario import Scenario, ScenarioStep
from simulation.sensor_table import SUPPLIED_SENSORS
from simulation.simulator import Simulator
from telemetry.objects.catalogue import Catalogue
from telemetry.vehicle.original_metadata import OriginalMetadataStore

LOOP_S = 0.02
ADDRESS = "memory:board"


def plan(**changes: Any) -> HitlPlan:
    """An AR100B at the end of the wires."""
    usual = {"seed": 5, "sensors": tuple(SUPPLIED_SENSORS), "rate_hz": 50}
    return HitlPlan(load_aircraft("ar100b"), ADDRESS, **{**usual, **changes})


def metadata_of(board: Autopilot) -> dict[str, bytes]:
    """The metadata of every object on board, packed."""
    return {entry.definition.name: entry.metadata.pack(8) for entry in board.board.objects()}


class Wires:
    """A board that lives through several stations."""

    def __init__(self, config: AutopilotConfig, catalogue: Catalogue, folder: Path) -> None:
        self.catalogue = catalogue
        self.board = Autopilot(config, catalogue)
        self.folder = folder
        self.originals = OriginalMetadataStore(folder)
        self.now_s = 0.0
        self.is_cut = False
        self.truth: list[bytes] = []
        self.flight: HitlFlight | None = None

    def connect(
        self,
        steps: tuple[ScenarioStep, ...] = (),
        scenario: Scenario | None = None,
        **changes: Any,
    ) -> HitlFlight:
        """A new station; with steps its pilot flies them, of that scenario."""
        flown = scenario or Scenario("test", "Test", steps=steps)

        def make(flight: HitlFlight, simulator: Simulator) -> HitlPilot:
            return HitlPilot(flown, self.catalogue, flight.sample, simulator)

        self.flight = HitlFlight(
            plan(**changes),
            self.catalogue,
            self.originals,
            make_pilot=make if steps else None,
            write_truth=self.truth.append,
        )
        self.flight.start(self.now_s)
        return self.flight

    def run(self, seconds: float) -> None:
        """Let time pass at both ends."""
        for _ in range(round(seconds / LOOP_S)):
            self._loop()

    def run_until(self, phase: HitlPhase, longest_s: float = 120.0) -> None:
        """Let time pass until the flight has come to this phase."""
        assert self.flight is not None
        end_s = self.now_s + longest_s
        while self.flight.phase is not phase:
            assert self.now_s < end_s, f"still {self.flight.phase.value}: {self.flight.result}"
            self._loop()

    def _loop(self) -> None:
        flight = self.flight
        assert flight is not None
        outgoing = flight.bytes_to_send()
        if not self.is_cut:
            self.board.receive(outgoing)
        self.board.run_loop()
        self.now_s += LOOP_S
        incoming = self.board.bytes_to_send()
        if incoming and not self.is_cut:
            flight.receive(incoming, self.now_s)
        flight.tick(self.now_s)
