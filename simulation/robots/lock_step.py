"""Lock-step: an aircraft, its link and the pilot of a script in one thread, step by step.

Time passes only while the script waits: for an action, for a sample, or by `Robot.step`. A loop is
20 ms, as on board: the aircraft flies, the station hears it, the pilot's sticks are sent. So a
flight depends on its address and on the script, and on no clock.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.autopilot.autopilot import LOOP_US, AutopilotConfig, PoweredAircraft, power_up
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite, unknown_mount
from simulation.perception.surroundings import Surroundings
from simulation.simulator.simulator import Simulator
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.passing_time import Outcome
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import SessionConfig
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.vehicle.conversation import Conversation, ConversationSetup, Report
from telemetry.vehicle.link_status import link_status
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle

LOOP_S: Final = LOOP_US / 1e6
_ROUNDING_S: Final = 1e-9
_UP: Final = (LinkState.FETCHING, LinkState.CONNECTED)


class _Eye:
    """A sensor that looks once it is opened, and costs nothing before."""

    def __init__(
        self,
        simulator: Simulator,
        around: Surroundings,
        mount: SensorMount,
        take: Callable[[SuiteSample], None],
    ) -> None:
        self.seed, self.output = simulator.seed, simulator.output
        self._simulator = simulator
        self._is_open = False
        self._watches: list[tuple[Callable[[np.void], object], int]] = []
        self._suite = PerceptionSuite(self, around, [mount])
        self._suite.subscribe(take)
        (self.description,) = self._suite.descriptions

    def open(self) -> None:
        """Look from now on."""
        if not self._is_open:
            self._is_open = True
            self._suite.begin_anew()
            for take, every in self._watches:
                self._simulator.watch(take, every)

    def watch(self, take: Callable[[np.void], object], every: int) -> None:
        """See WatchedMotion."""
        self._watches.append((take, every))


class StepLink:
    """A byte pipe to an aircraft in the same thread; reading waits for nothing."""

    can_write = True
    progress = ""

    def __init__(self, address: str) -> None:
        self.name = self.address = address
        self.inbound = bytearray()
        self.outbound = bytearray()

    def read(self, timeout_s: float) -> bytes:
        """What the aircraft has said since the last call."""
        data = bytes(self.inbound)
        self.inbound.clear()
        return data

    def write(self, data: bytes) -> None:
        """Say something to the aircraft."""
        self.outbound += data

    def close(self) -> None:
        """Nothing to close."""


class LockStep:
    """One aircraft and the station that knows it as `vehicle`; a `PassingTime` for its robot.
    `pilot_step` is called once a loop."""

    def __init__(
        self,
        address: str,
        config: AutopilotConfig,
        catalogue: Catalogue,
        rates_hz: Mapping[str, float],
    ) -> None:
        """`rates_hz`: how often sensors look, by their mounts, where that is to differ. Raises
        ValueError, a sentence, for what cannot be flown."""
        self._config = config
        self._catalogue = catalogue
        self._rates_hz = rates_hz
        self._eyes: dict[str, _Eye] = {}
        self._asked_for: set[str] = set()
        self._loops = 0
        self._due_s = 0.0
        self._was_connected = False
        self.pilot_step: Callable[[], None] = lambda: None
        recording = Recording(address)
        commands = LiveCommands(self._why_not, lambda: self.now_s)
        self.vehicle = Vehicle(
            address, recording, catalogue, commands, elapsed_s=lambda: self.now_s
        )
        self._link = StepLink(address)
        setup = ConversationSetup(
            catalogue, recording, commands, lambda: self.now_s, 0.0, SessionConfig()
        )
        self._loss_s = setup.config.link_loss_s
        self.aircraft = self._powered_up()
        self._conversation = Conversation(self._link, setup, self._show)
        self._conversation.start()

    # Passing time

    @property
    def now_s(self) -> float:
        """Seconds since it was powered up."""
        return self._loops * LOOP_S

    def pass_s(self, seconds: float) -> None:
        """Have the aircraft fly so long, in loops; what is left of one counts for the next call."""
        self._due_s += seconds
        while self.now_s < self._due_s - _ROUNDING_S:
            self._loop()

    async def let_pass(self, seconds: float) -> None:
        """The same, and let other coroutines go on."""
        self.pass_s(seconds)
        await asyncio.sleep(0.0)

    def wait_for(self, outcome: Outcome, timeout_s: float | None) -> None:
        """Fly until it is done, or for so long."""
        end_s = None if timeout_s is None else self.now_s + timeout_s
        while not outcome.done() and (end_s is None or self.now_s < end_s):
            self.pass_s(LOOP_S)

    async def wait_in_turn(self, outcome: Outcome) -> None:
        """The same in a coroutine."""
        while not outcome.done():
            await self.let_pass(LOOP_S)
        outcome.result()

    # One loop

    def _loop(self) -> None:
        aircraft = self.aircraft
        aircraft.receive(bytes(self._link.outbound))
        self._link.outbound.clear()
        aircraft.run_loop()
        if aircraft.diverged is not None:
            raise RobotError(f"The simulation had to stop. {aircraft.diverged}")
        self._link.inbound += aircraft.bytes_to_send()
        if aircraft.wants_reboot:
            self.aircraft = self._powered_up()
        self._loops += 1
        self._conversation.step()
        self.pilot_step()
        self._conversation.step()

    def look_with(self, name: str) -> None:
        """Have a sensor look from now on, if it does not yet: for nobody none does."""
        self._asked_for.add(name)
        if name in self._eyes:
            self._eyes[name].open()

    def _powered_up(self) -> PoweredAircraft:
        aircraft, world = power_up(self._config, self._catalogue), self._config.world
        if world is not None:
            around = Surroundings(world.scene)
            for mount in self._mounts():
                self._eyes[mount.name] = eye = _Eye(aircraft.simulator, around, mount, self._take)
                if mount.name in self._asked_for:
                    eye.open()
                if self.vehicle.recording.media(mount.name) is None:
                    self.vehicle.recording.add_media(MediaTrack(eye.description))
        return aircraft

    def _mounts(self) -> list[SensorMount]:
        mounts = {mount.name: mount for mount in self._config.preset.load_aircraft().mounts}
        for name, rate_hz in self._rates_hz.items():
            if name not in mounts:
                raise ValueError(unknown_mount(name, mounts))
            changes = {**mounts[name].changes, "rate_hz": rate_hz}
            mounts[name] = replace(mounts[name], changes=changes)
        return list(mounts.values())

    def _take(self, taken: SuiteSample) -> None:
        track = self.vehicle.recording.media(taken.description.name)
        assert track is not None
        track.append(taken.sample.time_us / 1e6, taken.sample)

    def _show(self, report: Report) -> None:
        status = link_status(report, self._loss_s, was_connected=self._was_connected)
        self._was_connected = self._was_connected or status.state in _UP
        self.vehicle.status = status

    def _why_not(self) -> str | None:
        status: LinkStatus = self.vehicle.status
        return None if status.state in _UP else f"Not sent: {status.word.lower()}."
