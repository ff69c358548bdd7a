"""Lockstep board: a firmware's program and the aircraft that it flies, in the place of `Autopilot`.

Time on board begins when it is switched on and is told in ticks; the flight's time begins when it
is ready, some 25 s later. Until then it stands in a waiting room: another simulator of the same
aircraft, seed and place, in calm air, whose slow errors (turn-on offsets, drift, GPS error) stay as
they are at its time 0. Then the aircraft that is flown begins, at time 0. So the board sees nothing
jump, and weather, noise and all errors of the sensors are from the first step of the script on
those of the embedded board's flight with the same seed. Other than there is that GPS has its fix
from the beginning, and that a sensor task slower than a sensor takes only its newest sample.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np

from simulation.autopilot.autopilot import LOOP_US, AutopilotConfig, made_simulator
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.home_by_gps import set_home
from simulation.hitl.config import HitlConfig
from simulation.hitl.lockstep.program import LockstepError, LockstepProgram, ProgramFailed
from simulation.hitl.lockstep.set_up import FirmwareSetUp
from simulation.hitl.lockstep.told_sensors import ToldSensors
from simulation.hitl.lockstep.told_states import ToldStates
from simulation.hitl.lockstep.wire import LONGEST
from simulation.hitl.physics import TruthFrames, set_pulses
from simulation.hitl.sensors import SensorFeed
from simulation.hitl.takeover import ACTUATORS
from simulation.records.interface import STEP_US
from simulation.records.sensor_table import GYRO, SUPPLIED_SENSORS
from simulation.simulator.simulator import Diverged, Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.firmware_description import OBJECT_NAME, read_description
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.events import ObjectReceived
from telemetry.protocol.session.session import Session
from telemetry.protocol.wire.crc import crc8
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType, encode
from telemetry.vehicle.original_metadata import OriginalMetadataStore

_TRUTH_PERIOD_US = 100_000
"""How often it is told, as by the embedded board, how the aircraft really moves."""


class LockstepBoard:
    """One powered-up firmware: the face of `Autopilot`, see `PoweredAircraft`."""

    def __init__(
        self, program: LockstepProgram, config: AutopilotConfig, catalogue: Catalogue
    ) -> None:
        """Bring it up until it is ready. Raises LockstepError."""
        self.time_us = 0
        self.now_s = 0.0
        self.diverged: RuntimeError | None = None
        self.wants_reboot = False
        self.on_tick: Callable[[], None] | None = None
        self.is_attended = False
        """A station at the other end of a link keeps the connection; ours falls silent."""
        self._program = program
        self._catalogue = catalogue
        self._is_up = False
        self._begin(config, catalogue)
        self._station_id = self.board["GCSTelemetryStats"].definition.object_id.to_bytes(
            4, "little"
        )
        self._come_up(config, catalogue)

    # The face of an autopilot

    @property
    def firmware(self) -> str:
        """What flies, in its own words."""
        row = self.board[OBJECT_NAME].row
        said = read_description(row["Description"].tobytes())
        if said is None or not said.tag:
            return f"{self._program.name}, which does not say what it is"
        return f"{said.tag} ({said.commit})"

    @property
    def program_name(self) -> str:
        """What its user calls it."""
        return self._program.name

    @property
    def sensors_hz(self) -> float:
        """How often its sensor task runs."""
        return 1e6 / self._program.hello.sensor_us

    @property
    def start_up_s(self) -> float:
        """How long it took from power-up until it was ready, of its own time."""
        return self._ready_s

    @property
    def not_taken(self) -> tuple[str, ...]:
        """Settings of the preset that this firmware does not have."""
        return self._way_to_ready.not_taken

    def receive(self, data: bytes) -> None:
        """Take bytes from the link; frames are on board with the next tick, once they are whole,
        as sensors are sent in between. A station that says what it has heard, as no script does,
        has the board to itself from then on."""
        self.is_attended = self.is_attended or self._station_id in data
        for frame in self._from_station.feed(data):
            self._to_board += encode(frame.type, frame.object_id, frame.body)

    def bytes_to_send(self) -> bytes:
        """What the board has said since the last call, and how the aircraft really moves."""
        data = bytes(self._from_board)
        self._from_board.clear()
        return data

    def repeat_telemetry(self) -> None:
        """Nothing: a firmware is not asked while its time stands still."""

    def run_loop(self) -> None:
        """Advance by as many ticks as begin in the next LOOP_US."""
        self.time_us += LOOP_US
        self.now_s = self.time_us / 1e6
        if self.diverged is not None:
            return
        try:
            while self.simulator.time_us < self.time_us:
                self._run_tick()
        except ProgramFailed as failed:
            self.diverged = failed
            self.wants_reboot = self.is_attended and failed.is_end
        except Diverged as diverged:
            self.diverged = diverged
            self.simulator.output["crashed"] = 1
        if self.time_us % _TRUTH_PERIOD_US == 0:
            self._from_board += self._truth.frames(self.simulator.output)
        if not self.is_attended:
            self._session.tick(self._board_s())

    def close(self) -> None:
        """End the program."""
        self._program.close()

    # Inside

    def _board_s(self) -> float:
        return self._program.now_us / 1e6

    def _begin(self, config: AutopilotConfig, catalogue: Catalogue) -> None:
        """With a program that has just been switched on."""
        self.board = SimulatedBoard(catalogue, config.preset)
        """What the firmware has told of itself, object by object."""
        self.simulator = _waiting_room(config)
        self._session = Session(Role.GCS, catalogue)
        self._way_to_ready = FirmwareSetUp(
            self._program.name, self._session, catalogue, OriginalMetadataStore(), self._board_s
        )
        self._states = ToldStates(self.board)
        self._feeds: list[SensorFeed] = []
        self._told_sensors = ToldSensors()
        self._steps_per_tick = self._program.hello.tick_us // STEP_US
        self._from_station = FrameDecoder()
        self._to_board = bytearray()
        self._from_board = bytearray()
        self._actuators = self.board[ACTUATORS].definition
        self._speak(Dialect())

    def _come_up(self, config: AutopilotConfig, catalogue: Catalogue) -> None:
        """Through the waiting room into the air of the flight."""
        wanted = SimulatedBoard(catalogue, config.preset)
        if config.world is not None:
            set_home(wanted["HomeLocation"], config.world.origin)
        self._set_up(config, wanted)
        if self._way_to_ready.wants_restart:
            self._program.restart()
            self._begin(config, catalogue)
            self._set_up(config, wanted)
        if self._way_to_ready.wants_restart:
            raise LockstepError(
                f"The firmware {self._program.name} cannot fly this aircraft: started again in the "
                "same folder, it has forgotten what it had saved; have it save files there."
            )
        self._is_up, self._ready_s = True, self._board_s()
        sensor_us = self._program.hello.sensor_us
        self.simulator = made_simulator(config)
        _be_driven(self.simulator, sensor_us)
        self.simulator.record["parameters"]["gps_first_fix"] = 0
        self._feeds = [feed.anew() for feed in self._feeds]
        self._from_board.clear()

    def _set_up(self, config: AutopilotConfig, wanted: SimulatedBoard) -> None:
        """As far as the board goes with it. Raises LockstepError."""
        rate_hz = max(1, round(1e6 / self._program.hello.sensor_us))
        aircraft = self.simulator.aircraft
        plan = HitlConfig(aircraft, "lockstep", config.seed, tuple(SUPPLIED_SENSORS), rate_hz)
        steps = self._way_to_ready.run(plan, wanted, self.board, is_erased=config.storage.is_erased)
        try:
            for _ in steps:
                if self._feeds is not self._way_to_ready.feeds:
                    self._feeds = self._way_to_ready.feeds
                    self._speak(self._session.status.dialect)
                self._run_tick()
                self._session_tick()
        except ProgramFailed as failed:
            raise LockstepError(str(failed)) from None

    def _speak(self, dialect: Dialect) -> None:
        self._encode = dialect.encode
        self._truth = TruthFrames(self._catalogue, dialect)
        definition = self._actuators
        frame = dialect.encode(FrameType.OBJ, definition.object_id, 0, True, bytes(definition.size))
        self._command_bytes = len(frame)
        self._command_head = frame[: -definition.size - 1]

    def _session_tick(self) -> None:
        self._way_to_ready.temporary.take(self._session.tick(self._board_s()))

    def _run_tick(self) -> None:
        """Its sensors, its work, its motors. Raises Diverged, ProgramFailed."""
        program, output = self._program, self.simulator.output
        if program.tick % program.hello.sensor_ticks == 0:
            self._send_sensors(output)
        self._to_board += self._session.bytes_to_send() if not self.is_attended else b""
        words = bytes(self._to_board[:LONGEST])
        del self._to_board[: len(words)]
        data = program.advance(words)
        if data:
            self._hear(data)
        self.simulator.advance(self._steps_per_tick)

    def _send_sensors(self, output: Any) -> None:
        encode = self._encode
        for feed in self._feeds:
            payload = feed.payload(output)
            if payload is None:
                continue
            frame = encode(FrameType.OBJ, feed.definition.object_id, 0, True, payload)
            self._to_board += frame
            if self.is_attended and self._told_sensors.is_due(
                feed.definition, self.simulator.time_us
            ):
                self._from_board += frame

    def _hear(self, data: bytes) -> None:
        self._from_board += data
        if self._is_up:
            data = self._drive_and_take_out(data)
        if not data:
            return
        events = self._session.receive(data, self._board_s())
        for event in events:
            if isinstance(event, ObjectReceived):
                self._note(event)
        if not self._is_up:
            self._way_to_ready.temporary.take(events)

    def _drive_and_take_out(self, data: bytes) -> bytes:
        """Obey ActuatorCommand at once; what else there is. It is nearly all that is said, and the
        session would take as long for it as everything else here."""
        command, size = self._command_head, self._command_bytes
        while (at := data.find(command)) >= 0:
            end = at + size
            if len(data) < end or crc8(data[at : end - 1]) != data[end - 1]:
                break
            row = np.frombuffer(data[at + len(command) : end - 1], self._actuators.dtype)[0]
            set_pulses(self.simulator, row["Channel"])
            data = data[:at] + data[end:]
        return data

    def _note(self, event: ObjectReceived) -> None:
        if event.definition.object_id == self._actuators.object_id:
            row = np.frombuffer(event.payload, self._actuators.dtype)[0]
            set_pulses(self.simulator, row["Channel"])
        entry = self.board.find(event.definition.object_id)
        if entry is None or entry.definition is not event.definition:
            return
        entry.grow(event.instance + 1)
        entry.load(event.instance, event.payload)
        self._states.tell(entry, self.simulator.output)


class LockstepFirmware:
    """What `--firmware` names: each flight that is made of it starts the program anew, and ends the
    one before. `failure` is why the first flight that failed by it did; "" if none has."""

    def __init__(self, start: Callable[[], LockstepProgram]) -> None:
        self._start = start
        self.boards: list[LockstepBoard] = []
        """All that were powered up."""

    def power_up(self, config: AutopilotConfig, catalogue: Catalogue) -> LockstepBoard:
        """A board of its own, ready to fly. Raises LockstepError."""
        self.close()
        program = self._start()
        with ExitStack() as if_refused:
            if_refused.callback(program.close)
            board = LockstepBoard(program, config, catalogue)
            if_refused.pop_all()
        self.boards.append(board)
        return board

    @property
    def failure(self) -> str:
        """See above."""
        found = (str(b.diverged) for b in self.boards if isinstance(b.diverged, ProgramFailed))
        return next(found, "")

    def close(self) -> None:
        """End all programs. Closing twice is fine."""
        for board in self.boards:
            board.close()


def _waiting_room(config: AutopilotConfig) -> Simulator:
    """See above: its slow errors stand still."""
    simulator = Simulator(config.preset.load_aircraft(), config.seed)
    if config.world is not None:
        simulator.enter(config.world)
    simulator.command["external"] = 1
    simulator.record["parameters"]["harmonics"] = 0.0
    simulator.advance(1)  # which draws the errors of this run
    hold_slow_errors(simulator)
    return simulator


_STILL = {
    "drift_kick": 0.0,
    "flicker_kick": 0.0,
    "drift_decay": 1.0,
    "flicker_decay": 1.0,
    "gps_keep": 1.0,
}
"""Members of STATE with which a sensor's slow errors stay as they are."""


def hold_slow_errors(simulator: Simulator) -> Callable[[], None]:
    """Have the slow errors of all sensors stand still, of a simulator that has begun; return what
    lets them go on."""
    state = simulator.record["state"]
    before = {name: np.copy(state[name]) for name in _STILL}
    for name, value in _STILL.items():
        state[name] = value

    def let_go() -> None:
        for name, value in before.items():
            state[name] = value

    return let_go


def _be_driven(simulator: Simulator, sensor_us: int) -> None:
    """Have it obey pulses alone. A sensor task slower than the gyro would fold lines of vibration
    down to what is flown by."""
    simulator.command["external"] = 1
    parameters = simulator.record["parameters"]
    if sensor_us > int(parameters["sensor_period"][GYRO]) * STEP_US:
        parameters["harmonics"] = 0.0
