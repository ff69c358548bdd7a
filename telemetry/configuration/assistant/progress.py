"""Assistant progress: its steps, where it is, what is missing, and answers that are kept."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import KEEP, NO_GPS, Answers
from telemetry.configuration.assistant.flight_modes import (
    missing_mode,
    usual_arming,
    usual_failsafe,
    usual_modes,
)
from telemetry.configuration.assistant.gps_and_battery import (
    gps_ports,
    missing_power,
    told_cells,
    told_gps,
)
from telemetry.configuration.assistant.outputs import esc_choices, missing_output
from telemetry.configuration.assistant.receiver import receiver_of


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step: `missing` says in a sentence what is not answered yet, or nothing."""

    id: str
    title: str
    missing: Callable[[Answers, AssistedAircraft], str] = lambda _answers, _aircraft: ""


def _missing_frame(answers: Answers, _craft: AssistedAircraft) -> str:
    return "" if answers.frame else "Choose the airframe."


def _missing_esc(answers: Answers, aircraft: AssistedAircraft) -> str:
    if answers.esc not in [KEEP, *(esc.id for esc in esc_choices(aircraft))]:
        return "Choose what the speed controllers understand."
    return missing_output(answers, aircraft)


def _missing_receiver(answers: Answers, aircraft: AssistedAircraft) -> str:
    return "" if receiver_of(answers, aircraft) else "Choose where the pilot's commands come in."


def _missing_gains(answers: Answers, _craft: AssistedAircraft) -> str:
    return "" if answers.gains else "Choose gains to begin with."


STEPS: Final = (
    SetupStep("airframe", "Airframe", _missing_frame),
    SetupStep("outputs", "Outputs", _missing_esc),
    SetupStep("receiver", "Receiver", _missing_receiver),
    SetupStep("power", "GPS, battery", missing_power),
    SetupStep("modes", "Modes", missing_mode),
    SetupStep("calibration", "Calibration"),
    SetupStep("gains", "Gains", _missing_gains),
    SetupStep("summary", "Summary"),
)
_INDEX: Final = {step.id: index for index, step in enumerate(STEPS)}


class SetupProgress:
    """Answers and place. Every change is handed to `keep`, which may write it to disk."""

    def __init__(self, answers: Answers, keep: Callable[[Answers], None]) -> None:
        self.answers = answers
        self._keep = keep

    @property
    def step(self) -> SetupStep:
        """Where it is."""
        return STEPS[_INDEX.get(self.answers.step, 0)]

    def change(self, **answers: Any) -> None:
        """Answer something. Answers that hang on it and were not given follow."""
        frame = answers.pop("frame", self.answers.frame)
        self._take(replace(self.answers.with_frame(frame), **answers))

    def restart(self, answers: Answers) -> None:
        """Forget everything, and begin with these answers."""
        self._take(replace(answers, step=STEPS[0].id))

    def next(self, aircraft: AssistedAircraft) -> bool:
        """Go on; False while something is missing."""
        index = _INDEX[self.step.id]
        if self.step.missing(self.answers, aircraft) or index + 1 == len(STEPS):
            return False
        return self.go(STEPS[index + 1].id, aircraft)

    def back(self) -> bool:
        """Go back; False at the first step."""
        index = _INDEX[self.step.id]
        if index:
            self._take(replace(self.answers, step=STEPS[index - 1].id))
        return index > 0

    def go(self, step_id: str, aircraft: AssistedAircraft) -> bool:
        """Go to a step; False while one before it misses something."""
        if not self.can_go(step_id, aircraft):
            return False
        self._take(replace(with_usual(step_id, self.answers, aircraft), step=step_id))
        return True

    def can_go(self, step_id: str, aircraft: AssistedAircraft) -> bool:
        """Whether all steps before are answered."""
        before = STEPS[: _INDEX[step_id]]
        return not any(step.missing(self.answers, aircraft) for step in before)

    def _take(self, answers: Answers) -> None:
        if answers != self.answers:
            self.answers = answers
            self._keep(answers)


def with_usual(step_id: str, answers: Answers, aircraft: AssistedAircraft) -> Answers:
    """What is safe to propose when a step is opened and was not answered before."""
    if step_id == "modes" and KEEP not in answers.modes:
        modes = answers.modes
        if missing_mode(replace(answers, arming="any"), aircraft):
            modes = usual_modes(answers, aircraft)
        proposed = replace(
            answers, modes=modes, arming=answers.arming or usual_arming(answers, aircraft)
        )
        is_new = modes != answers.modes
        return replace(proposed, failsafe=usual_failsafe(proposed)) if is_new else proposed
    if step_id == "power" and not answers.gps:
        told = told_gps(aircraft)
        answers = replace(
            answers,
            gps=told.get("gps", ""),
            gps_port=told.get("gps_port", answers.gps_port),
            cells=answers.cells or told_cells(aircraft),
        )
    if step_id == "power" and answers.gps not in ("", NO_GPS) and not answers.gps_port:
        return replace(answers, gps_port=next(iter(gps_ports(aircraft)), ""))
    return answers
