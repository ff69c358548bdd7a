"""Axis analysis: what the last seconds say of an axis and its gains, off the GUI thread."""

from concurrent.futures import Executor, Future
from dataclasses import dataclass

from telemetry.recording.recording import Recording
from telemetry.review.analysis.axis_signals import (
    AXES,
    FACTS,
    AxisSignals,
    Loop,
    axis_signals,
    cut,
    steered_stretch,
)
from telemetry.review.analysis.oscillation import Oscillation, find_oscillation
from telemetry.review.analysis.series import Inconclusive
from telemetry.review.analysis.step_response import StepResponse, estimate_step_response

_STEP_S, _SWING_S = 30.0, 8.0
_PERIOD_S = 0.4
_TURN = 360.0


@dataclass(frozen=True, slots=True, eq=False)
class AxisReport:
    """The estimate and the oscillation of an axis, or why there is none."""

    step: StepResponse | Inconclusive
    swing: Oscillation | Inconclusive

    @property
    def is_oscillating(self) -> bool:
        """Whether the axis swings about what is asked of it."""
        return isinstance(self.swing, Oscillation) and self.swing.is_oscillating

    def text(self, axis: str) -> str:
        """Both, as sentences."""
        step = self.step.verdict if isinstance(self.step, StepResponse) else self.step.text
        if self.is_oscillating and isinstance(self.swing, Oscillation):
            return f"{axis}: {self.swing.verdict} {step}"
        return f"{axis}: {step}"


class AxisAnalysis:
    """Goes round the axes. `reports` holds the latest of each; call `poll` at every refresh."""

    def __init__(self, jobs: Executor) -> None:
        self.reports: dict[str, AxisReport] = {}
        self._jobs = jobs
        self._running: tuple[str, Future[AxisReport]] | None = None
        self._turn = 0
        self._next_s = 0.0

    def forget(self) -> None:
        """Another loop or another flight: what was found no longer holds."""
        self.reports.clear()
        self._running = None
        self._next_s = 0.0

    def poll(self, recording: Recording, loop: Loop, t: float, since: float) -> bool:
        """Take a finished report and begin the next; whether there is a new one.

        What was flown before `since`, with other gains, does not count.
        """
        is_new = False
        if self._running is not None:
            axis, future = self._running
            if not future.done():
                return False
            self.reports[axis] = future.result()
            self._running, is_new = None, True
        if not self._next_s <= t + _PERIOD_S <= self._next_s + 2.0 * _PERIOD_S:
            self._next_s = t  # the time went on, or was set elsewhere
        if t >= self._next_s:
            self._next_s = t + _PERIOD_S
            axis = AXES[self._turn % len(AXES)]
            self._turn += 1
            start = max(since, t - _STEP_S)
            signals = axis_signals(recording, loop, axis, start, t)
            stretch = steered_stretch(recording, loop, axis, start, t)
            self._running = axis, self._jobs.submit(_report, signals, stretch, loop, axis, t)
        return is_new


def _report(
    signals: AxisSignals, stretch: tuple[float, float] | None, loop: Loop, axis: str, t: float
) -> AxisReport:
    facts = FACTS[loop]
    if stretch is None:
        refusal = Inconclusive(
            "The stick does not ask this loop directly now.",
            f"To see how it answers, fly {axis.lower()} in {' or '.join(sorted(facts.modes))}.",
        )
        return AxisReport(refusal, refusal)
    wraps_at = _TURN if loop is Loop.ATTITUDE and axis == "Yaw" else None
    asked = cut(signals, *stretch)
    late = cut(signals, max(stretch[0], t - _SWING_S), stretch[1])
    return AxisReport(
        estimate_step_response(asked.desired, asked.actual, facts.smallest_move, wraps_at=wraps_at),
        find_oscillation(late.desired, late.actual, facts.smallest_swing, wraps_at),
    )
