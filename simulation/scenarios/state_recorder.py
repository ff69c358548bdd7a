"""Truth and states of a flight as objects in a log, more often than telemetry sends them."""

from collections.abc import Callable

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.snapshot import settings_frames
from simulation.autopilot.state_objects import States
from simulation.autopilot.truth import euler_deg
from simulation.records.interface import STEP_US
from simulation.records.members import members_of
from simulation.simulator.simulator import Simulator
from telemetry.protocol.wire.dialect import Dialect

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
)
"""The objects with which a station can show a flight that had no autopilot."""
TELEMETRY_STEPS = 20
"""Between records where nobody asks for a rate: 50 Hz, one loop of the autopilot."""

Record = Callable[[float, bytes], None]


class StateRecorder:
    """Writes the objects RECORDED as they are at the present step.

    They are written from a board of its own, so the flight does not know of it.
    """

    def __init__(
        self, simulator: Simulator, record: Record, board: SimulatedBoard, shows_truth: bool = False
    ) -> None:
        """`record` is given the seconds and the frames. `shows_truth`: no estimator runs on board,
        and the truth stands in the state objects, so that a station has something to show."""
        self._simulator = simulator
        self._record = record
        self._board = board
        self._shows_truth = shows_truth
        self._output = members_of(simulator.output)
        self._states = States(board, self._output)
        self._entries = [board[name] for name in RECORDED]
        self._dialect = Dialect()

    def note_settings(self) -> None:
        """Write all settings, as a log begins."""
        self._record(0.0, settings_frames(self._board, self._dialect))

    def watch(self, every: int) -> None:
        """Note the states at every step whose number is a multiple of `every`."""
        self._simulator.watch(lambda output: self.note(), every)

    def note(self) -> None:
        """Write the states as they are now."""
        self._states.update()
        if self._shows_truth and self._simulator.command["external"]:
            self._show_truth()
        frames = b"".join(entry.frame(self._dialect) for entry in self._entries)
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
