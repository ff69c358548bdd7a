"""Scenario report: metrics against bands, and what went wrong besides."""

import hashlib
import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Final, cast

from simulation.aircraft.aircraft import rotor_sentence
from simulation.autopilot.preset import load_preset
from simulation.scenarios import experiments
from simulation.scenarios.experiment import Experiment, Run, RunOutcome, outcome_of
from simulation.scenarios.figures import FIGURES, draw
from simulation.scenarios.scenario import (
    CONTROLLER,
    CRASHED,
    DIVERGED,
    FIRMWARE,
    SCRIPT,
    Band,
    Scenario,
    ScenarioError,
)
from simulation.simulator.simulator import Diverged
from telemetry.base.number_text import significant
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values

_OF_SEEDS: Final = "Of each metric the worst flight's; without a band the mean of the flights."


@dataclass(frozen=True, slots=True)
class Failure:
    """One reason why a scenario did not pass: a metric, CRASHED, SCRIPT or DIVERGED, and a
    sentence."""

    metric: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ScenarioReport:
    """A judged run."""

    experiment: Experiment
    outcome: RunOutcome
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def as_dict(self) -> dict[str, Any]:
        """The report, ready for JSON; times of the wall clock are the caller's to add."""
        scenario, outcome = self.experiment.scenario, self.outcome
        report = {
            "scenario": scenario.name,
            "passed": self.passed,
            **measured(scenario, outcome.metrics),
            "seed": self.experiment.seed,
            "seeds": outcome.seeds,
            "seed_varies": scenario.seed_varies,
            "log_hash": outcome.log_hash,
            "title": scenario.title,
            "test": scenario.test,
            "source": scenario.source,
            "aircraft": self.experiment.aircraft,
            "parameters": dict(scenario.values),
            "world": dict(scenario.world),
            "duration_s": outcome.duration_s,
            "basis": basis(self),
        }
        if self.experiment.controller is not None:
            report["sil"] = self.experiment.controller.report()
        if outcome.note:
            report["note"] = outcome.note
        if self.failures:
            report["failed"] = [failure.metric for failure in self.failures]
            report["reason"] = " ".join(failure.sentence for failure in self.failures)
        return report


def run_scenario(experiment: Experiment, *others: ModuleType) -> ScenarioReport:
    """Fly it and judge it; raise ScenarioError if the scenario itself is at fault. `others` are
    packages with experiments besides those of this room, of rooms above it."""
    scenario = experiment.scenario
    _check_settings(scenario, experiment.catalogue)
    if experiment.firmware is not None and scenario.without_board:
        raise ScenarioError(
            f"The scenario '{scenario.name}' has no board in its loop that a firmware could take "
            f"the place of: it {scenario.without_board}. Fly it without --firmware."
        )
    name = scenario.experiment
    run = _experiment(name, (experiments, *others)) if name else _fly_script
    try:
        outcome = run(experiment)
    except Diverged as error:
        last_good = hashlib.sha256(error.output.tobytes()).hexdigest()
        outcome = RunOutcome({}, log_hash=last_good, diverged=str(error))
    if not outcome.duration_s:
        outcome = replace(outcome, duration_s=experiment.simulated_s)
    verdict = experiment.controller.verdict if experiment.controller is not None else ""
    firmware = experiment.firmware.failure if experiment.firmware is not None else ""
    if firmware and outcome.diverged == firmware:  # it ended the flight, and physics did not
        outcome = replace(outcome, diverged="")
    return ScenarioReport(experiment, outcome, judge(scenario, outcome, verdict, firmware))


def judge(
    scenario: Scenario, outcome: RunOutcome, controller: str = "", firmware: str = ""
) -> tuple[Failure, ...]:
    """Everything that keeps a run from passing; `controller` and `firmware` are what was wrong with
    a user's."""
    failures = []
    if outcome.diverged:
        failures.append(Failure(DIVERGED, outcome.diverged))
    if outcome.crashed and not scenario.may_crash:
        failures.append(Failure(CRASHED, "The aircraft crashed."))
    if controller:
        failures.append(Failure(CONTROLLER, controller))
    if firmware:
        failures.append(Failure(FIRMWARE, firmware))
    if outcome.script:
        failures.append(Failure(SCRIPT, outcome.script))
    for metric, band in scenario.bands.items():
        value = outcome.metrics.get(metric, math.nan)
        if not band.holds(value):
            failures.append(Failure(metric, _missed(metric, value, band)))
    return tuple(failures)


def measured(scenario: Scenario, metrics: Mapping[str, float]) -> dict[str, Any]:
    """What was measured and the bands it has to lie in, ready for JSON."""
    return {
        "metrics": {name: _finite(value) for name, value in metrics.items()},
        "bands": {k: [_finite(b.low), _finite(b.high)] for k, b in scenario.bands.items()},
    }


def as_lines(report: ScenarioReport, wall_s: float) -> list[str]:
    """The report for people: every metric in a table with its band."""
    scenario, outcome = report.experiment.scenario, report.outcome
    test = f" ({scenario.test})" if scenario.test else ""
    lines = [f"{scenario.name}{test}: {scenario.title}"]
    changed = {**scenario.values, **scenario.world}
    settings = "".join(f", {name}={value:g}" for name, value in changed.items())
    lines.append(f"{report.experiment.aircraft}, seed {report.experiment.seed}{settings}")
    rotors = rotor_sentence(load_preset(report.experiment.aircraft).aircraft)
    lines += [rotors] if rotors else []
    lines += metric_lines(outcome.metrics, scenario.bands)
    lines += [_OF_SEEDS] if outcome.seeds > 1 else []
    lines += [failure.sentence for failure in report.failures]
    if outcome.note:
        lines.append(outcome.note)
    factor = outcome.duration_s / wall_s if wall_s > 0.0 else 0.0
    lines.append(
        f"{outcome.duration_s:.1f} s flown in {wall_s:.1f} s ({factor:.0f} x real time), "
        f"log {outcome.log_hash[:12]}"
    )
    lines.append(f"{'PASSED' if report.passed else 'FAILED'} {basis(report)}")
    return lines


def basis(report: ScenarioReport) -> str:
    """What a verdict is about: over which time, in how many flights, with which seeds, and what
    those change."""
    scenario, outcome, seed = report.experiment.scenario, report.outcome, report.experiment.seed
    flights = len(report.experiment.made)
    over = f"over {outcome.duration_s:.1f} s"
    over += f" of {flights} flights" if flights > 1 else ""
    seeds = f"seed {seed}" if outcome.seeds == 1 else f"seeds {seed} to {seed + outcome.seeds - 1}"
    if scenario.seed_changes_nothing:
        return f"{over}, the same with every seed: {scenario.seed_changes_nothing}"
    varied = f", which varies {scenario.seed_varies}" if scenario.seed_varies else ""
    return f"{over} with {seeds}{varied}"


def metric_lines(metrics: Mapping[str, float], bands: Mapping[str, Band]) -> list[str]:
    """A table of every metric with its band, line by line."""
    names = [*metrics, *(name for name in bands if name not in metrics)]
    width = max((len(name) for name in names), default=0)
    lines = []
    for name in names:
        value = metrics.get(name, math.nan)
        band = bands.get(name)
        verdict = "" if band is None else ("ok" if band.holds(value) else "MISSED")
        shown = "" if band is None else str(band)
        lines.append(f"  {name:{width}}  {value:>10.4g}  {shown:24} {verdict}".rstrip())
    return lines


def _missed(metric: str, value: float, band: Band) -> str:
    if not math.isfinite(value):
        return f"{metric} was not measured ({band} is wanted)."
    by = band.low - value if value < band.low else value - band.high
    return f"{metric} is {significant(value, 4)}, outside of {band} by {significant(by, 4)}."


def _check_settings(scenario: Scenario, catalogue: Catalogue) -> None:
    """Find out before the flight which settings no board could take."""
    for name, values in scenario.settings.items():
        try:
            pack_values(catalogue.find(name, DEFAULT_RELEASE), values)
        except ValueError as error:
            raise ScenarioError(
                f"The scenario '{scenario.name}' sets what cannot be set: {error}; correct its "
                "'settings'."
            ) from None


def _experiment(name: str, packages: Sequence[ModuleType]) -> Run:
    for package in packages:
        module = f"{package.__name__}.{name}"
        try:
            return cast(Run, importlib.import_module(module).run)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
    raise ScenarioError(
        f"There is no experiment '{name}'; it would be {name}.py in a folder of experiments."
    )


def _fly_script(experiment: Experiment) -> RunOutcome:
    if experiment.scenario.figure not in FIGURES:
        known = ", ".join(FIGURES)
        raise ScenarioError(
            f"There is no figure '{experiment.scenario.figure}'; there are: {known}."
        )
    flight = experiment.fly()
    return outcome_of(flight, flight.metrics(), draw(flight))


def _finite(value: float) -> float | None:
    """JSON knows no infinities."""
    return float(value) if math.isfinite(value) else None
