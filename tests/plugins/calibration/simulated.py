"""The simulated aircraft at the other end of a bench's link, in simulated time."""

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.simulator.controls import apply
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.conversation import Conversation
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.vehicle.fakes import Clock

_LOOP_S = 0.02


class AutopilotLink:
    """Reading from it flies the simulator by one loop."""

    name = "simulated"
    address = "test:simulated"
    can_write = True
    progress = ""

    def __init__(self, clock: Clock, autopilot: Autopilot) -> None:
        self.autopilot = autopilot
        self._clock = clock

    def read(self, timeout_s: float) -> bytes:
        self._clock.now += _LOOP_S
        self.autopilot.run_loop()
        return self.autopilot.bytes_to_send()

    def write(self, data: bytes) -> None:
        self.autopilot.receive(data)

    def close(self) -> None:
        pass


class SimulatedBench(Bench):
    """A bench whose board is the simulator's. `set` moves its controls."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.autopilot = Autopilot(AutopilotConfig(load_preset("ar100b")), catalogue)
        super().__init__(catalogue)

    def connect(self) -> None:
        """A link to the autopilot."""
        link = AutopilotLink(self.clock, self.autopilot)
        self._conversation = Conversation(link, self._setup, self._show)
        self._conversation.start()

    def set(self, **controls: float) -> None:
        """Move controls."""
        for name, value in controls.items():
            apply(self.autopilot.simulator, name, value)
