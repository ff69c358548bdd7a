"""The simulator's board at the end of a link, in simulated time, for benches of the settings."""

from collections.abc import Callable

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.autopilot.storage import Storage
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.conversation import Conversation
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.vehicle.fakes import Clock

_LOOP_S = 0.02
_LEAST_S = 0.01
"""How far apart the worker's looks at the link are at least: two of them a cycle on board."""


class SimulatedBoardLink:
    """A link whose reading lets the simulated aircraft fly; it restarts when it is told to."""

    name = "simulator"
    address = "test:simulator"
    can_write = True
    progress = ""

    def __init__(self, clock: Clock, catalogue: Catalogue, config: AutopilotConfig) -> None:
        self._clock = clock
        self._power_up: Callable[[], Autopilot] = lambda: Autopilot(config, catalogue)
        self.autopilot = self._power_up()
        self._started_s = clock.now
        self.restarts = 0
        self.is_deaf_to_restarts = False
        self.is_unplugged = False

    def read(self, timeout_s: float) -> bytes:
        """Let time pass."""
        self._clock.now += max(timeout_s, _LEAST_S)
        if self.is_unplugged:
            raise LinkClosed("simulator was unplugged. Plug it in again to reconnect.")
        while self._started_s + self.autopilot.now_s < self._clock.now - _LOOP_S:
            self.autopilot.run_loop()
        said = self.autopilot.bytes_to_send()
        if self.autopilot.wants_reboot and not self.is_deaf_to_restarts:
            self.reboot()
        return said

    def reboot(self) -> None:
        """The board starts again, asked for or not."""
        self.autopilot = self._power_up()
        self._started_s = self._clock.now
        self.restarts += 1

    def write(self, data: bytes) -> None:
        """The station's bytes reach the board."""
        if self.is_unplugged:
            raise LinkClosed("simulator was unplugged. Plug it in again to reconnect.")
        self.autopilot.receive(data)

    def close(self) -> None:
        """Nothing to close."""


class SimulatedBench(Bench):
    """A bench whose board is the simulator's: its own rules of arming, saving and restarting.

    `config` is what is flown, by default an AR100B.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        faults: Faults | None = None,
        seed: int = 1,
        config: AutopilotConfig | None = None,
    ) -> None:
        self._faults = faults or Faults()
        self.storage = Storage()
        self._config = config or AutopilotConfig(load_preset("ar100b"), storage=self.storage)
        super().__init__(catalogue, seed=seed)

    def connect(self) -> None:
        self.board_link = SimulatedBoardLink(self.clock, self.catalogue, self._config)
        self.link = FaultyLink(self.board_link, self._faults, self.clock, self.seed)
        self._conversation = Conversation(self.link, self._setup, self._show)
        self._conversation.start()
