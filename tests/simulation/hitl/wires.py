"""A wired board as tests use it: an AR100B on the bench."""

from pathlib import Path
from typing import Any

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.hitl.config import HitlConfig
from simulation.hitl.flight import HitlFlight
from simulation.hitl.wired_board import ADDRESS, LOOP_S, RATE_HZ, WiredBoard
from simulation.records.sensor_table import SUPPLIED_SENSORS
from simulation.scenarios.scenario import Scenario, ScenarioStep
from telemetry.protocol.objects.catalogue import Catalogue


def plan(**changes: Any) -> HitlConfig:
    """An AR100B at the end of the wires."""
    usual = {"seed": 5, "sensors": tuple(SUPPLIED_SENSORS), "rate_hz": RATE_HZ}
    return HitlConfig(load_aircraft("ar100b"), ADDRESS, **{**usual, **changes})


def metadata_of(board: Autopilot) -> dict[str, bytes]:
    """The metadata of every object on board, packed."""
    return {entry.definition.name: entry.metadata.pack(8) for entry in board.board.objects()}


_STOOD_LOOPS = 75
"""So long that it has told all it tells once a second."""


class Wires(WiredBoard):
    """Its truth is kept."""

    def __init__(self, config: AutopilotConfig, catalogue: Catalogue, folder: Path) -> None:
        self.truth: list[bytes] = []
        super().__init__(config, catalogue, folder, self.truth.append)
        for _ in range(_STOOD_LOOPS):
            self.board.run_loop()

    def connect(
        self,
        steps: tuple[ScenarioStep, ...] = (),
        scenario: Scenario | None = None,
        **changes: Any,
    ) -> HitlFlight:
        """A new station; with steps its pilot flies them, of that scenario."""
        flown = scenario or Scenario("test", "Test", steps=steps)
        return self.begin(plan(**changes), flown if steps else None)

    def hang(self, seconds: float) -> None:
        """The station's computer does something else: the board lives on meanwhile."""
        flight, self._flight = self._flight, None
        for _ in range(round(seconds / LOOP_S)):
            self.board.run_loop()
            self.now_s += LOOP_S
        self._flight = flight
