"""A simulated board at the other end of the wires: our own autopilot as the real one, connected to
a HitlFlight in memory, both in one simulated time.

Bytes come and go with every tick of the board's sensor task; see `Autopilot.on_tick`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from simulation.autopilot.autopilot import LOOP_US, TICK_US, Autopilot, AutopilotConfig
from simulation.hitl.config import HitlConfig
from simulation.hitl.flight import HitlFlight, HitlPhase
from simulation.hitl.pilot import HitlPilot
from simulation.scenarios.scenario import Scenario
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.original_metadata import OriginalMetadataStore

LOOP_S = LOOP_US / 1e6
RATE_HZ: Final = 1_000_000 // TICK_US
ADDRESS = "memory:board"


class WiredBoard:
    """A board that lives through several stations. It stands on the ground of a world of its own,
    where its own sensors are. `folder` is where what its metadata was is kept."""

    def __init__(
        self,
        config: AutopilotConfig,
        catalogue: Catalogue,
        folder: Path,
        write_truth: Callable[[bytes], None] = lambda frames: None,
    ) -> None:
        self.catalogue = catalogue
        self.board = Autopilot(config, catalogue)
        self.board.on_tick = self._tick
        self.folder = folder
        self.originals = OriginalMetadataStore(folder)
        self.now_s = 0.0
        self.is_cut = False
        self._write_truth = write_truth
        self._flight: HitlFlight | None = None

    @property
    def flight(self) -> HitlFlight:
        """The station's end; there must be one."""
        assert self._flight is not None
        return self._flight

    @property
    def physics(self) -> Simulator:
        """The aircraft that it flies; it must have come to that."""
        assert self.flight.aircraft is not None
        return self.flight.aircraft.simulator

    def begin(self, plan: HitlConfig, scenario: Scenario | None = None) -> HitlFlight:
        """A new station, whose pilot flies that scenario if there is one."""

        def make(flight: HitlFlight, simulator: Simulator) -> HitlPilot:
            assert scenario is not None
            return HitlPilot(scenario, self.catalogue, flight.sample, simulator)

        self._flight = HitlFlight(
            plan,
            self.catalogue,
            self.originals,
            make_pilot=None if scenario is None else make,
            write_truth=self._write_truth,
        )
        self._flight.start(self.now_s)
        return self._flight

    def run(self, seconds: float) -> None:
        """Let time pass at both ends."""
        for _ in range(round(seconds / LOOP_S)):
            self.run_loop()

    def run_until(self, phase: HitlPhase, longest_s: float = 120.0) -> None:
        """Let time pass until the flight has come to this phase. Raises TimeoutError."""
        end_s = self.now_s + longest_s
        while self.flight.phase is not phase:
            if self.now_s >= end_s:
                raise TimeoutError(f"still {self.flight.phase.value}: {self.flight.result}")
            self.run_loop()

    def run_loop(self) -> None:
        """One loop of the board, and what comes and goes by the wires meanwhile."""
        self.board.run_loop()

    def _tick(self) -> None:
        if self._flight is not None:
            self._exchange(self._flight)

    def _exchange(self, flight: HitlFlight) -> None:
        incoming = self.board.bytes_to_send()
        self.now_s += 1.0 / RATE_HZ
        if incoming and not self.is_cut:
            flight.receive(incoming, self.now_s)
        flight.tick(self.now_s)
        outgoing = flight.bytes_to_send()
        if not self.is_cut:
            self.board.receive(outgoing)
