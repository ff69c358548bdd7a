"""HITL report: the result of a flight with hardware in the loop, judged and told."""

from dataclasses import dataclass
from typing import Any

from simulation.hitl.config import HitlResult
from simulation.hitl.pilot import HitlPilot
from simulation.scenarios.experiment import RunOutcome
from simulation.scenarios.report import Failure, judge, measured, metric_lines
from simulation.scenarios.scenario import Scenario

_NOT_FLOWN = RunOutcome({}, script="It was not flown.")


@dataclass(frozen=True, slots=True)
class HitlReport:
    """A flight with its result; with a `scenario` it is judged by that, as simulated ones are.

    `ended_early`: somebody ended what was to go on.
    """

    aircraft: str
    seed: int
    result: HitlResult
    scenario: Scenario | None = None
    pilot: HitlPilot | None = None
    ended_early: bool = False

    @property
    def outcome(self) -> RunOutcome:
        """What was measured; nothing where no scenario was flown."""
        return self.pilot.outcome() if self.pilot is not None else _NOT_FLOWN

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What keeps the scenario from having passed; nothing where it is not judged."""
        if self.scenario is None or not self.result.is_judged:
            return ()
        return judge(self.scenario, self.outcome)

    @property
    def passed(self) -> bool:
        """Whether it went well: the board is as it was, and the scenario passed."""
        result = self.result
        went_wrong = result.problems or result.faults or result.unrestored or self.ended_early
        return result.is_judged and not went_wrong and not self.failures

    @property
    def verdict(self) -> str:
        """PASSED, FAILED, or NOT JUDGED where the flight was late: what came of it then is the
        computer's doing, good or bad."""
        if not self.result.is_judged:
            return "NOT JUDGED"
        return "PASSED" if self.passed else "FAILED"

    def as_dict(self) -> dict[str, Any]:
        """The report, ready for JSON."""
        scenario, failures = self.scenario, self.failures
        report: dict[str, Any] = {
            "scenario": None if scenario is None else scenario.name,
            "passed": self.passed,
            "verdict": self.verdict.lower(),
            "aircraft": self.aircraft,
            "seed": self.seed,
            "hitl": self.result.as_dict(),
        }
        if scenario is not None:
            report |= measured(scenario, self.outcome.metrics)
            report["parameters"] = dict(scenario.values)
        if failures:
            report["failed"] = [failure.metric for failure in failures]
            report["reason"] = " ".join(failure.sentence for failure in failures)
        elif not self.result.is_judged:
            report["reason"] = self.result.lateness.sentence
        return report

    def as_lines(self) -> list[str]:
        """The report for people."""
        result = self.result
        lines = [*_facts(result), *_state(result)]
        if not self.passed:
            lines += _in_the_way(result)
        if self.scenario is not None:
            bands = self.scenario.bands if result.is_judged else {}
            lines += metric_lines(self.outcome.metrics, bands)
        lines += dict.fromkeys(self._sentences())
        if self.scenario is not None or not result.is_judged:
            lines.append(self.verdict)
        return lines

    def _sentences(self) -> list[str]:
        result = self.result
        if result.is_judged:
            failures = [failure.sentence for failure in self.failures]
            return [*result.problems, *result.faults, *failures]
        unjudged = [f"Seen, not judged: {fault}" for fault in result.faults]
        return [*result.problems, *unjudged, result.lateness.sentence]


def _facts(result: HitlResult) -> list[str]:
    lines = [f"board                 {result.board or 'unknown'}"]
    if result.supplied:
        lines.append(f"supplied              {', '.join(result.supplied)}")
    if result.missing:
        lines.append(f"not on this board     {', '.join(result.missing)}")
    lines.append(f"flown                 {result.flown_s:.1f} s, {result.commands} commands")
    if result.lateness.ticks:
        lines.append(f"lateness              {result.lateness}")
    lines.append(f"restored, verified    {', '.join(result.restored) or 'nothing'}")
    if result.still_armed:
        lines.append("STILL ARMED           disarm the board")
    if result.unrestored:
        lines.append(f"STILL CHANGED         {', '.join(result.unrestored)}")
    return lines


def _state(result: HitlResult) -> list[str]:
    """The board's alarms when the flight ended."""
    if result.checklist is None:
        return []
    alarms = [f"{alarm.title}: {alarm.severity}" for alarm in result.alarms]
    return [f"alarms at the end     {', '.join(alarms) or 'none'}"]


def _in_the_way(result: HitlResult) -> list[str]:
    """What stood in the way of arming then, where it was not armed."""
    checklist = result.checklist
    if checklist is None or checklist.is_armed:
        return []
    blocking = [f"  {c.title}: {c.text} {c.remedy}" for c in checklist.blocking]
    return [f"arming                {checklist.summary}", *blocking]
