"""The autopilot: a board, its modules and the simulated aircraft they fly, in one loop.

One loop takes LOOP_US of simulated time: the modules run, then the compiled inner loop advances
by as many steps. The flight depends on the preset, the seed and what was received before which
loop; never on a clock.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from simulation.aircraft.propulsion_knowledge import know_propulsion
from simulation.autopilot.arming import Arming
from simulation.autopilot.battery import Battery
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.firmware import Firmware
from simulation.autopilot.fixed_wing_status import FixedWingStatus
from simulation.autopilot.gps import Gps
from simulation.autopilot.ground import GroundDetector
from simulation.autopilot.guidance import Guidance
from simulation.autopilot.health import Health
from simulation.autopilot.hearing import Hearing
from simulation.autopilot.home_by_gps import HomeByGps, set_home
from simulation.autopilot.home_reference import HomeReference
from simulation.autopilot.kernel_settings import KernelSettings
from simulation.autopilot.manual_control import ManualControl
from simulation.autopilot.overrides import Overrides, SuppliedOutputs
from simulation.autopilot.path_follower import PathFollower
from simulation.autopilot.persistence import OnBoardPersistence
from simulation.autopilot.preset import Preset, Start
from simulation.autopilot.receiver import DEFAULT_TIMEOUT_US, Receiver
from simulation.autopilot.receiver_activity import ReceiverActivity
from simulation.autopilot.stabilization_status import StabilizationStatus
from simulation.autopilot.start_up import BARO_SAMPLES, StartUp
from simulation.autopilot.state_objects import States
from simulation.autopilot.storage import Storage
from simulation.autopilot.system import System
from simulation.autopilot.takeoff_location import TakeoffLocation
from simulation.autopilot.tasks import report_tasks
from simulation.autopilot.telemetry import Telemetry
from simulation.environment.wind_table import WindTable
from simulation.records.interface import STEP_US
from simulation.records.members import members_of
from simulation.simulator.external_force import NO_FORCE, ExternalForce
from simulation.simulator.simulator import Diverged, Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.session import Session

if TYPE_CHECKING:
    from simulation.simulator.flown_world import FlownWorld

LOOP_US = 20_000
TICK_US: Final = 4_000
"""How often bytes come and go of a board that is flown by ticks; see `Autopilot.on_tick`."""
_COMMANDS: Final = "ActuatorCommand"
_SLOW_LOOPS = 5
_UNSAFE = ("HwSettings",)
"""Left at their defaults in a safe boot."""


class InnerLoop(Protocol):
    """Flies in the place of the compiled program on board (`simulation.sil`)."""

    def attach(self, simulator: Simulator, board: SimulatedBoard) -> Callable[[int], None]:
        """Take the simulator over; return what advances it by so many steps."""


class PoweredAircraft(Protocol):
    """A powered-up aircraft, whoever flies it: the embedded board, or a firmware in a process of
    its own. `board` holds its objects, as far as they are known. See `Autopilot`."""

    simulator: Simulator
    board: SimulatedBoard
    time_us: int
    now_s: float
    on_tick: Callable[[], None] | None
    """See `Autopilot.on_tick`; a firmware, which has its sensors from us, is not asked."""

    @property
    def diverged(self) -> RuntimeError | None:
        """Why it can fly no more."""

    @property
    def wants_reboot(self) -> bool:
        """A station has asked for a reboot."""

    def receive(self, data: bytes) -> None:
        """Take bytes from the link."""

    def bytes_to_send(self) -> bytes:
        """What the board has to say since the last call."""

    def repeat_telemetry(self) -> None:
        """Send once more what goes out periodically."""

    def run_loop(self) -> None:
        """Advance by LOOP_US."""


class FlownFirmware(Protocol):
    """A flight controller that flies in the place of the embedded board (`simulation.hitl`)."""

    def power_up(self, config: "AutopilotConfig", catalogue: Catalogue) -> PoweredAircraft:
        """The aircraft of that config with this controller. Raises ValueError, a sentence."""

    @property
    def failure(self) -> str:
        """Why a flight cannot count as one by this firmware; "" if it can."""


@dataclass(frozen=True, slots=True)
class AutopilotConfig:
    """How one aircraft is set up. `receiver_timeout_us`: silence until sticks count as lost.

    Without an `inner_loop` the compiled program on board flies. `wind` adds to the constant one,
    `force` to air, ground and motors. Without a `world` the ground is level everywhere.
    `is_safe_boot`: this start leaves out what HwSettings says, as firmware does after starts that
    failed, and says so by the BootFault alarm; what is saved stays saved.
    `start`: ready as soon as it can fly, or as late as firmware. `tells_truth`: beside the board's
    objects there are those of the simulator, AttitudeSimulated and GroundTruth.
    `label` gives another board of the same aircraft a serial number of its own, which stations
    know it by. With a `firmware` that flies, and storage and `inner_loop` are not asked.
    `heard`: what somebody in the same process hears (`Autopilot.hearing`), who writes to the board
    itself. Without `has_link` nobody else is talked to.
    """

    preset: Preset
    seed: int = 1
    receiver_timeout_us: int = DEFAULT_TIMEOUT_US
    storage: Storage = field(default_factory=Storage)
    inner_loop: InnerLoop | None = None
    wind: WindTable | None = None
    force: ExternalForce = NO_FORCE
    world: "FlownWorld | None" = None
    is_safe_boot: bool = False
    label: str = ""
    start: Start = "quick"
    tells_truth: bool = True
    firmware: FlownFirmware | None = None
    heard: tuple[ObjectDefinition, ...] = ()
    has_link: bool = True


def power_up(config: AutopilotConfig, catalogue: Catalogue) -> PoweredAircraft:
    """The aircraft of a config, with whichever board it names. Raises ValueError, a sentence."""
    if config.firmware is not None:
        return config.firmware.power_up(config, catalogue)
    return Autopilot(config, catalogue)


def is_flown_by_ticks(board: SimulatedBoard) -> bool:
    """Whether a station wants the outputs oftener than modules run: one that has the board fly an
    aircraft of its own, by sensors that it supplies."""
    policy = board[_COMMANDS].metadata.flight
    is_timed = policy.mode in (UpdateMode.PERIODIC, UpdateMode.THROTTLED)
    return is_timed and 0 < policy.period_ms * 1000 < LOOP_US


def made_simulator(config: AutopilotConfig) -> Simulator:
    """The aircraft of a config in its air and its world, at time 0; its board is not set up."""
    simulator = Simulator(config.preset.load_aircraft(), config.seed)
    if config.world is not None:
        simulator.enter(config.world)
    if config.wind is not None:
        simulator.set_wind_table(config.wind)
    simulator.act_with(config.force)
    return simulator


def _session(catalogue: Catalogue, board: SimulatedBoard) -> Session:
    session = Session(Role.FLIGHT, catalogue, board=board)
    session.start(0.0)
    return session


class Autopilot:
    """One powered-up aircraft. Rebooting it means making a new one with the same config."""

    def __init__(self, config: AutopilotConfig, catalogue: Catalogue) -> None:
        self.simulator = made_simulator(config)
        settings = self.simulator.settings
        settings["baro_samples"] = BARO_SAMPLES[config.start]
        self._output = output = members_of(self.simulator.output)
        self.board = board = SimulatedBoard(
            catalogue, config.preset, tells_truth=config.tells_truth
        )
        self.arming = Arming(board, self._check_configuration)
        self._persistence = OnBoardPersistence(board, config.storage, lambda: self.arming.is_armed)
        self._persistence.restore(except_for=_UNSAFE if config.is_safe_boot else ())
        if config.world is not None and not config.storage.is_erased:
            set_home(board["HomeLocation"], config.world.origin)
        board_name = f"{config.preset.name} {config.seed} {config.label}".rstrip()
        self._firmware = Firmware(board, board_name, lambda: self.arming.is_armed)
        self._states = States(board, output)
        self._overrides = Overrides(board, self.simulator.command, output)
        self._outputs = SuppliedOutputs(board, self.simulator.command)
        self._gps = Gps(board, output)
        self._home = HomeByGps(board)
        self._home_reference = HomeReference(board, self.simulator)
        self._wing_status = FixedWingStatus(board, output)
        self._battery = Battery(board, output)
        self._ground = GroundDetector(board, output)
        self._receiver = Receiver(board, config.receiver_timeout_us)
        self._activity = ReceiverActivity(board)
        self._kernel_settings = KernelSettings(board, settings, config.preset.has_own_filter)
        if config.preset.inverts_propulsion and not config.storage.is_erased:
            know_propulsion(settings, self.simulator.aircraft.known_parameters)
        self._manual = ManualControl(board, self.arming)
        self._takeoff = TakeoffLocation(board)
        self._guidance = Guidance(board, self.simulator.command)
        self.path = PathFollower(board, self._guidance.automatic)
        self._stabilization = StabilizationStatus(board, output)
        self._system = System(
            board,
            output,
            self.arming,
            self._battery,
            Health(board, output, members_of(settings)),
            StartUp(board, output, config.start),
        )
        self._system.boot = "Critical" if config.is_safe_boot else "OK"
        report_tasks(board)
        self._session = _session(catalogue, board) if config.has_link else None
        self.hearing = Hearing(board, config.heard, self._session)
        self._telemetry = Telemetry(board, self.hearing, None if config.has_link else config.heard)
        inner = config.inner_loop
        self._fly = inner.attach(self.simulator, board) if inner else self.simulator.advance
        self.on_tick: Callable[[], None] | None = None
        """Called after every TICK_US within a loop, as often as a sensor task runs, for bytes to
        come and go: firmware takes sensors that a station supplies as silent after 10 ms. Modules
        run once per loop nevertheless. Without one a loop is flown at once."""
        self.diverged: Diverged | None = None
        self._loops = 0
        self.time_us = 0
        """Simulated time since power-up."""
        self.now_s = 0.0
        """The same in seconds, as the session counts it."""

    @property
    def session(self) -> Session:
        """The conversation with a station. Raises TypeError where there is no link."""
        if self._session is None:
            raise TypeError("this aircraft is heard without a link")
        return self._session

    @property
    def wants_reboot(self) -> bool:
        """A station has asked for a reboot."""
        return self._firmware.wants_reboot

    def receive(self, data: bytes) -> None:
        """Take bytes from the link; answers are in `bytes_to_send` at once."""
        self.session.receive(data, self.now_s)

    def bytes_to_send(self) -> bytes:
        """What the board has to say since the last call."""
        return self.session.bytes_to_send()

    def repeat_telemetry(self) -> None:
        """Send once more what goes out periodically, though no time has passed."""
        self._telemetry.repeat()

    def run_loop(self) -> None:
        """Advance by LOOP_US."""
        now_us = self.time_us
        if self._loops % _SLOW_LOOPS == 0:
            self._run_slow_modules(now_us)
        self._persistence.update()
        self._firmware.update(now_us)
        self._run_pilot_modules(now_us)
        self._overrides.update()
        self._outputs.update()
        self._advance()
        self._loops += 1
        self.time_us = self._loops * LOOP_US
        self.now_s = self.time_us / 1e6
        self._states.update()
        self._gps.update()
        self._telemetry.update(self.time_us)
        if self._session is not None:
            self._session.tick(self.now_s)

    def _advance(self) -> None:
        """Let the aircraft move. When its motion has become impossible it is a wreck where it
        last was, and `diverged` says why; the board lives on and can be talked to."""
        if self.diverged is not None:
            return
        try:
            if self.on_tick is None:
                self._fly(LOOP_US // STEP_US)
            else:
                self._fly_by_ticks(self.on_tick)
        except Diverged as error:
            self.diverged = error
            self.simulator.output["crashed"] = 1
            self._system.is_gyro_read = False
            self.arming.disarm()

    def _fly_by_ticks(self, on_tick: Callable[[], None]) -> None:
        commands = self.board[_COMMANDS].definition.object_id
        for tick in range(LOOP_US // TICK_US):
            self._fly(TICK_US // STEP_US)
            if tick and is_flown_by_ticks(self.board):
                self.session.publish(commands)  # telemetry sends the last of a loop
            on_tick()

    def _run_slow_modules(self, now_us: int) -> None:
        self._battery.update(now_us)
        self._home.update(now_us)
        is_connected = self._session is not None and self._session.is_connected
        self._system.is_connected = self._receiver.is_station_heard = is_connected
        self._system.update(now_us, self.simulator.alarms_clear_s)

    def _check_configuration(self) -> None:
        self._system.check_configuration()

    def _run_pilot_modules(self, now_us: int) -> None:
        self._receiver.update(now_us)
        self._activity.update(now_us)
        self._kernel_settings.update()
        self._ground.update(now_us, self.arming.is_armed)
        self._end_flight()
        self._manual.update(now_us)
        armed = self.arming.is_armed
        self._takeoff.update(self.arming.state)
        self._home_reference.update(is_disarmed=self.arming.state == "Disarmed")
        self._stabilization.update(self._manual.is_hand_flown)
        position_valid = bool(self._output["position_valid"])
        if self._manual.is_hand_flown:
            self.path.leave()
        else:
            self.path.update(now_us, self._manual.mode, armed)
        self._system.guide(self._guidance_alarm(position_valid), self.path.alarms.path_plan)
        if self._manual.is_hand_flown:
            self._guidance.follow_sticks(armed)
        else:
            self._guidance.follow_path(position_valid, armed)

    def _guidance_alarm(self, position_valid: bool) -> str:
        """What cannot be flown without a position is a warning; Critical disarms."""
        said = self.path.alarms.guidance
        is_blind = not (self._manual.is_hand_flown or position_valid)
        return "Warning" if is_blind and said == "OK" else said

    def _end_flight(self) -> None:
        """Disarm after touchdown, and when lying on the side or back."""
        if not self.arming.is_armed:
            return
        if self._ground.is_toppled or self._output["disarm_request"]:
            self.arming.disarm()
