"""Truth, states, setpoints and sensors of a flight as objects in a log, to the step, and more
often than telemetry sends them: enough to judge and to identify an aircraft by it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from simulation.autopilot.battery import Battery
from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.gps import Gps
from simulation.autopilot.snapshot import settings_frames
from simulation.autopilot.state_objects import States
from simulation.autopilot.truth import euler_deg
from simulation.records.interface import STEP_S, STEP_US
from simulation.records.members import members_of
from simulation.simulator.simulator import Simulator
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import encode

RECORDED: tuple[str, ...] = (
    "AttitudeState",
    "PositionState",
    "VelocityState",
    "AttitudeSimulated",
    "GroundTruth",
    "GyroState",
    "AccelState",
    "ActuatorCommand",
    "ActuatorDesired",
    "RateDesired",
)
"""What is written at every record; with it a station can show a flight that had no autopilot."""
SAMPLED: Final[Mapping[str, tuple[str, ...]]] = {
    "mag_count": ("MagSensor", "MagState"),
    "baro_count": ("BaroSensor",),
    "gps_count": ("GPSPositionSensor", "GPSVelocitySensor"),
    "battery_count": ("FlightBatteryState",),
}
"""What is written with every sample of a sensor, by its counter in OUTPUT."""
SETPOINT: Final = "StabilizationDesired"
"""Written at every record, too, where a board flies: only there it stands."""
TELEMETRY_STEPS = 20
"""Between records where nobody asks for a rate: 50 Hz, one loop of the autopilot."""

Record = Callable[[float, bytes], None]


class StateRecorder:
    """Writes RECORDED and SETPOINT as they are at the present step, and SAMPLED as they come.

    They are written from a board of its own, so the flight does not know of it.
    """

    def __init__(
        self,
        simulator: Simulator,
        record: Record,
        board: SimulatedBoard,
        flown: SimulatedBoard | None = None,
        shows_truth: bool = False,
    ) -> None:
        """`record` is given the seconds and the frames. `flown` is the board that flies, where one
        does. `shows_truth`: no estimator runs on board, and the truth stands in the state objects,
        so that a station has something to show."""
        self._simulator = simulator
        self._record = record
        self._board = board
        self._shows_truth = shows_truth
        self._output = members_of(simulator.output)
        self._states = States(board, self._output)
        self._battery = Battery(board, self._output)
        Gps(board, self._output)  # fills its objects when they are read
        self._entries = [board[name] for name in RECORDED]
        if flown is not None:
            self._entries.append(flown[SETPOINT])
        self._sampled = {count: [board[name] for name in names] for count, names in SAMPLED.items()}
        self._seen = dict.fromkeys(SAMPLED, 0)
        self._battery_step = 0
        sampled = (entry for entries in self._sampled.values() for entry in entries)
        self._own_ids = {e.definition.object_id for e in (*self._entries, *sampled)}
        self._decoder = FrameDecoder()
        self._dialect = Dialect()

    def note_settings(self) -> None:
        """Write all settings, as a log begins."""
        self._record(0.0, settings_frames(self._board, self._dialect))

    def watch(self, every: int) -> None:
        """Note the states at every step whose number is a multiple of `every`, and each sample at
        its own."""
        self._simulator.watch(lambda output: self.note(), every)
        self._simulator.watch(lambda output: self._note_samples())

    def not_written_here(self, data: bytes) -> bytes:
        """What telemetry sent, in any pieces, without the objects that are written here: they would
        stand twice, and a sample with the time at which it was repeated."""
        frames = self._decoder.feed(data)
        return b"".join(encode(*frame) for frame in frames if frame.object_id not in self._own_ids)

    def note(self) -> None:
        """Write states and setpoints as they are now."""
        self._states.update()
        if self._shows_truth and self._simulator.command["external"]:
            self._show_truth()
        self._write(self._entries)

    def _note_samples(self) -> None:
        """Write what sensors have delivered since the last step."""
        for counter, entries in self._sampled.items():
            count = int(self._output[counter])
            if count == self._seen[counter]:
                continue
            self._seen[counter] = count
            if counter == "battery_count":
                self._measure_battery()
            self._write(entries)

    def _measure_battery(self) -> None:
        step = int(self._output["step"])
        self._battery.measure((step - self._battery_step) * STEP_S)
        self._battery_step = step

    def _write(self, entries: Sequence[BoardObject]) -> None:
        frames = b"".join(entry.frame(self._dialect) for entry in entries)
        self._record(int(self._output["step"]) * STEP_US / 1e6, frames)

    def _show_truth(self) -> None:
        output = self._output
        quaternion = output["true_quaternion"].tolist()
        roll, pitch, yaw = euler_deg(quaternion)
        names = ("q1", "q2", "q3", "q4", "Roll", "Pitch", "Yaw", "NavYaw")
        values = (*quaternion, roll, pitch, yaw, yaw)
        self._board["AttitudeState"].write(**dict(zip(names, values, strict=True)))
        for name, member in (
            ("PositionState", "true_position"),
            ("VelocityState", "true_velocity"),
        ):
            ned = zip(("North", "East", "Down"), output[member].tolist(), strict=True)
            self._board[name].write(**dict(ned))
