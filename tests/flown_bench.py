"""A vehicle with a worker's conversation to the simulator's own board, in simulated time."""

from collections.abc import Callable

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import load_preset
from telemetry.links.faulty import Faults, FaultyLink
from telemetry.objects.catalogue import Catalogue
from telemetry.vehicle.conversation import Conversation
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.settings.bench import Bench
from tests.telemetry.vehicle.fakes import Clock

_LOOP_S = 0.02


class AutopilotLink:
    """Reading from it flies the aircraft for one loop."""

    name = "simulator"
    address = "sim:test"
    can_write = True
    progress = ""

    def __init__(self, clock: Clock, autopilot: Autopilot) -> None:
        self._clock = clock
        self._autopilot = autopilot

    def read(self, timeout_s: float) -> bytes:
        self._clock.now += _LOOP_S
        self._autopilot.run_loop()
        return self._autopilot.bytes_to_send()

    def write(self, data: bytes) -> None:
        self._autopilot.receive(data)

    def close(self) -> None:
        """Nothing to do."""


class FlownBench(Bench):
    """The bench with an AR100B in place of a memory. `sticks` are sent while they are set."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.autopilot = Autopilot(AutopilotConfig(load_preset("ar100b")), catalogue)
        self.sticks: Sticks | None = None
        super().__init__(catalogue)

    def connect(self) -> None:
        """A link to the simulated board."""
        self.link = FaultyLink(AutopilotLink(self.clock, self.autopilot), Faults(), self.clock)
        self._conversation = Conversation(self.link, self._setup, self._show)
        self._conversation.start()

    def run(self, until: Callable[[], bool], limit_s: float = 120.0) -> None:
        """Let time pass, with the sticks held."""

        def held() -> bool:
            if self.sticks is not None:
                self.vehicle.commands.set_sticks(self.sticks)
            return until()

        super().run(held, limit_s)

    @property
    def rotor_speeds(self) -> list[float]:
        """How fast the four motors turn, in rad/s."""
        return [float(s) for s in self.autopilot.simulator.output["rotor_speed"][:4]]
