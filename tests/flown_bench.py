"""A bench over the simulator's own board, with a pilot: sticks are held while time passes."""

from collections.abc import Callable

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.sticks import Sticks
from tests.simulated_board import SimulatedBench


class FlownBench(SimulatedBench):
    """The bench with an AR100B in place of a memory, or the aircraft of `config`. `sticks` are sent
    while they are set."""

    def __init__(self, catalogue: Catalogue, config: AutopilotConfig | None = None) -> None:
        self.sticks: Sticks | None = None
        super().__init__(catalogue, config=config)

    @property
    def autopilot(self) -> Autopilot:
        """What is on board."""
        return self.board_link.autopilot

    @property
    def climbed_m(self) -> float:
        """How high it truly is: what the board believes is off by as much as GPS was at the start,
        2.7 m with the first seed."""
        return float(-self.autopilot.simulator.output["true_position"][2])

    @property
    def rotor_speeds(self) -> list[float]:
        """How fast the four motors turn, in rad/s."""
        return [float(s) for s in self.autopilot.simulator.output["rotor_speed"][:4]]

    def fly(self, sticks: Sticks, seconds: float) -> None:
        """Hold the sticks for some time."""
        self.sticks = sticks
        self.pass_time(seconds)

    def run(self, until: Callable[[], bool], limit_s: float = 120.0) -> None:
        """Let time pass, with the sticks held."""

        def held() -> bool:
            if self.sticks is not None:
                self.vehicle.commands.set_sticks(self.sticks)
            return until()

        super().run(held, limit_s)
