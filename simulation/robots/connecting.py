"""Connecting to a simulated robot in lock-step, by its address."""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Final

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.robots.lock_step import LOOP_S, LockStep
from simulation.simulator.flown_world import open_world
from simulation.simulator.simulator import Simulator
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.pilot import RobotPilot
from telemetry.flying.robot.robot import Robot
from telemetry.flying.robot.sample_reader import MediaReader
from telemetry.flying.robot.simulated import SimulatedAddress, simulated_address
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.streams.samples import StreamSample
from telemetry.vehicle.vehicle import LinkState

_CONNECTED_WITHIN_S: Final = 60.0


class SteppedRobot(Robot):
    """A simulated robot for which time passes only while its script waits."""

    def __init__(self, lock_step: LockStep, pilot: RobotPilot, resources: ExitStack) -> None:
        super().__init__(lock_step.vehicle, pilot, resources.close)
        self._lock_step = lock_step

    def newest(self, name: str) -> StreamSample | None:
        """See Robot.newest. The sensor looks from when it is first asked for."""
        self._lock_step.look_with(name)
        return super().newest(name)

    def stream(self, name: str, *, newest_only: bool = True, within_s: float = 20.0) -> MediaReader:
        """See Robot.stream, and `newest`."""
        self._lock_step.look_with(name)
        return super().stream(name, newest_only=newest_only, within_s=within_s)

    @property
    def simulator(self) -> Simulator:
        """The simulated aircraft: what is true of it is in `simulator.output`, and
        `simulation.simulator.controls.apply` changes its wind and faults. To judge a script by, not
        to fly by."""
        return self._lock_step.aircraft.simulator


def connect_in_step(address: str, *, rates_hz: Mapping[str, float] | None = None) -> SteppedRobot:
    """The simulated aircraft of "sim:NAME@WORLD?seed=3", as for
    `telemetry.flying.robot.connecting.connect`, in this process and in lock-step: it flies as fast
    as it can, only while the script waits, and the same to the bit each time.

    A sensor looks from when it is first asked for; `rates_hz` says how often by its name, where
    that is to differ: pictures are what takes time. With "firmware=PROGRAM" that flight controller
    flies, in the same steps. Nothing is recorded on disk. Raises RobotError, AddressError,
    ValueError for what is not there.
    """
    asked = simulated_address(address)
    with ExitStack() as ends:
        lock_step = LockStep(address, _config(asked, ends), load_catalogue(), rates_hz or {})
        pilot = RobotPilot(lock_step.vehicle, lock_step)
        while lock_step.vehicle.status.state is not LinkState.CONNECTED:
            if lock_step.now_s > _CONNECTED_WITHIN_S:
                raise RobotError(f"{address} is not connected after {_CONNECTED_WITHIN_S:.0f} s.")
            lock_step.pass_s(LOOP_S)
        lock_step.pilot_step = pilot.step
        return SteppedRobot(lock_step, pilot, ends.pop_all())


def _config(asked: SimulatedAddress, ends: ExitStack) -> AutopilotConfig:
    firmware = None
    if asked.firmware is not None:
        from simulation.hitl.lockstep.board import LockstepFirmware
        from simulation.hitl.lockstep.program import LockstepProgram

        program = asked.firmware
        firmware = LockstepFirmware(lambda: LockstepProgram(program))
        ends.callback(firmware.close)
    return AutopilotConfig(
        load_preset(asked.aircraft),
        asked.seed,
        world=open_world(asked.world, asked.seed) if asked.world else None,
        label=asked.label,
        start=asked.start,
        firmware=firmware,
    )
