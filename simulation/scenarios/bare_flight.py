"""A bare simulator that is watched while it flies, and recorded so that it can be looked at."""

from collections.abc import Sequence

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.snapshot import settings_frames
from simulation.autopilot.states import States
from simulation.autopilot.truth import euler_deg
from simulation.interface import STEP_US
from simulation.members import members_of
from simulation.scenarios.flight import Record
from simulation.scenarios.track import OutputTrack
from simulation.simulator import Simulator
from telemetry.wire.dialect import Dialect

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
_RECORD_STEPS = 20


class BareFlight:
    """Advances a simulator and keeps a row of OUTPUT every `sample_steps` steps."""

    def __init__(
        self,
        simulator: Simulator,
        members: Sequence[str] = (),
        sample_steps: int = 20,
        record: Record | None = None,
        board: SimulatedBoard | None = None,
    ) -> None:
        """Keep these members (all by default). `record` needs the board its frames come from;
        it is given the settings first and then the states every 20 ms or every sample, whichever
        is longer."""
        self.simulator = simulator
        self.track = OutputTrack(members)
        self._sample_steps = sample_steps
        self._recorder = None
        if record is not None and board is not None:
            self._recorder = _Recorder(simulator, record, board)

    @property
    def now_s(self) -> float:
        """Simulated time."""
        return self.simulator.time_us / 1e6

    def advance(self, seconds: float) -> None:
        """Fly on for that long."""
        self.advance_steps(round(seconds * 1e6 / STEP_US))

    def advance_steps(self, steps: int) -> None:
        """Fly on by so many steps; samples are taken at multiples of `sample_steps`."""
        simulator, every = self.simulator, self._sample_steps
        while steps > 0:
            block = min(steps, every - int(simulator.output["step"]) % every)
            simulator.advance(block)
            steps -= block
            if int(simulator.output["step"]) % every == 0:
                self.track.add(simulator.output)
                if self._recorder is not None:
                    self._recorder.note()


class _Recorder:
    """Says what an aircraft would have sent.

    Where something outside drives the actuators no estimator runs on board: then the truth
    stands in the state objects, so that a station has something to show.
    """

    def __init__(self, simulator: Simulator, record: Record, board: SimulatedBoard) -> None:
        self._simulator = simulator
        self._record = record
        self._board = board
        settings = members_of(simulator.settings)
        self._output = members_of(simulator.output)
        self._states = States(board, self._output, settings)
        self._entries = [board[name] for name in RECORDED]
        self._dialect = Dialect()
        self._next_step = 0
        record(0.0, settings_frames(board, self._dialect))

    def note(self) -> None:
        """Write all objects, unless that was done less than 20 ms ago."""
        step = int(self._output["step"])
        if step < self._next_step:
            return
        self._next_step = step + _RECORD_STEPS
        self._states.update()
        if self._simulator.command["external"]:
            self._show_truth()
        frames = b"".join(entry.frame(self._dialect) for entry in self._entries)
        self._record(step * STEP_US / 1e6, frames)

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
