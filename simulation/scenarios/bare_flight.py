"""Bare flight: a simulator alone, watched while it flies, and recorded to be looked at."""

from collections.abc import Sequence

from simulation.records.interface import STEP_US
from simulation.scenarios.state_recorder import TELEMETRY_STEPS, StateRecorder
from simulation.scenarios.track import OutputTrack
from simulation.simulator.simulator import Simulator


class BareFlight:
    """Advances a simulator and keeps a row of OUTPUT every `sample_steps` steps."""

    def __init__(
        self,
        simulator: Simulator,
        members: Sequence[str] = (),
        sample_steps: int = 20,
        recorder: StateRecorder | None = None,
        record_steps: int = TELEMETRY_STEPS,
    ) -> None:
        """Keep these members (all by default). `recorder` writes the settings now and then the
        states every `record_steps` steps."""
        self.simulator = simulator
        self.track = OutputTrack(members)
        simulator.watch(self.track.add, sample_steps)
        if recorder is not None:
            recorder.note_settings()
            recorder.watch(record_steps)

    @property
    def now_s(self) -> float:
        """Simulated time."""
        return self.simulator.time_us / 1e6

    def advance(self, seconds: float) -> None:
        """Fly on for that long."""
        self.advance_steps(round(seconds * 1e6 / STEP_US))

    def advance_steps(self, steps: int) -> None:
        """Fly on by so many steps; samples are taken at multiples of `sample_steps`."""
        self.simulator.advance(steps)
