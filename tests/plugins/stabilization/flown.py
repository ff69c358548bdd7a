"""A simulated aircraft at the other end of a live vehicle's link, all in simulated time."""

from collections.abc import Callable
from pathlib import Path

from plugins.testing import catalogue
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.serving.real_time_flight import LOOP_S
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.recording.recording import Recording
from telemetry.vehicle.conversation import Conversation, ConversationSetup, Report
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from tests.telemetry.vehicle.fakes import Clock

_LEAST_S = 0.005
"""How far apart the worker's looks at the link are at least: four of them a cycle on board."""
HANDS_ON = 1
"""The switch position of attitude mode with the height held."""


class _Link:
    name, address, can_write, progress = "sim", "sim:ar100b", True, ""

    def __init__(self, clock: Clock) -> None:
        self.autopilot = Autopilot(AutopilotConfig(load_preset("ar100b")), catalogue())
        self._clock, self._start = clock, clock.now

    def read(self, timeout_s: float) -> bytes:
        self._clock.now += max(timeout_s, _LEAST_S)
        while self.autopilot.now_s <= self._clock.now - self._start - LOOP_S:
            self.autopilot.run_loop()
        return self.autopilot.bytes_to_send()

    def write(self, data: bytes) -> None:
        self.autopilot.receive(data)

    def close(self) -> None:
        pass


class Flown:
    """`fly` lets time pass with the sticks held so; `look` is called at 20 Hz, as a page is."""

    def __init__(self, metadata_folder: Path) -> None:
        self.clock = Clock()
        self._link = _Link(self.clock)
        recording = Recording("flown")
        commands = LiveCommands(self._why_not, self.clock)
        self.vehicle = Vehicle(
            "sim:ar100b",
            recording,
            catalogue(),
            commands,
            elapsed_s=lambda: self.clock.now,
        )
        setup = ConversationSetup(
            catalogue(),
            recording,
            commands,
            self.clock,
            0.0,
            SessionConfig(),
            OriginalMetadataStore(metadata_folder),
        )
        self._conversation = Conversation(self._link, setup, self._show)
        self._conversation.start()
        self.settings: Configuration = configuration_of(self.vehicle)
        self.look: Callable[[float], None] = lambda t: None
        self.stay(lambda: self.vehicle.status.state is LinkState.CONNECTED)

    @property
    def autopilot(self) -> Autopilot:
        return self._link.autopilot

    def stay(self, until: Callable[[], bool], limit_s: float = 60.0) -> None:
        """Let time pass on the ground until something is so."""
        end_s = self.clock.now + limit_s
        while not until():
            assert self.clock.now < end_s, "it did not happen in time"
            self._step()

    def fly(self, seconds: float, sticks: Sticks) -> None:
        """Hold the sticks for some time."""
        end_s = self.clock.now + seconds
        while self.clock.now < end_s:
            self.vehicle.commands.set_sticks(sticks)
            self._step()

    def take_off(self) -> None:
        """Arm, which takes a mode without automatic thrust, and climb to some metres in attitude
        mode."""
        self.fly(5.0, Sticks())
        self.fly(2.0, Sticks(arm=True))
        self.fly(4.0, Sticks(throttle=0.95, flight_mode_position=HANDS_ON, arm=True))
        self.fly(1.0, Sticks(throttle=0.5, flight_mode_position=HANDS_ON, arm=True))

    def period_ms(self, name: str) -> int:
        """How often the aircraft is told to send an object."""
        definition = catalogue().find(name)
        packed = self.autopilot.board.read(definition.object_id + 1, 0)
        assert packed is not None
        return Metadata.unpack(packed).flight.period_ms

    def _step(self) -> None:
        before = self.clock.now
        self._conversation.step()
        self.settings.poll()
        if int(before * 20.0) != int(self.clock.now * 20.0):
            self.look(self.clock.now)

    def _show(self, report: Report) -> None:
        states = {
            SessionState.FETCHING: LinkState.FETCHING,
            SessionState.CONNECTED: LinkState.CONNECTED,
        }
        self.vehicle.status = LinkStatus(states.get(report.session.state, LinkState.CONNECTING))

    def _why_not(self) -> str | None:
        is_up = self.vehicle.status.state in (LinkState.FETCHING, LinkState.CONNECTED)
        return None if is_up else "Not sent: no link."
