"""One flight of a study, flown again: with everything that a study does not keep."""

import json
import math
from pathlib import Path
from typing import Any

from simulation.scenarios.report import as_lines
from simulation.studies.distribution import StudyError
from simulation.studies.flight import PASSED, Drawn, Flown
from simulation.studies.flying import ScenarioFlights, call, fly_one, load_function
from simulation.studies.result_folder import ResultFolder, open_result
from simulation.studies.study import Study
from telemetry.base.clock import monotonic_s
from telemetry.base.command_line import print_lines


def fly_again(path: Path, index: int, record: Path | None, *, as_json: bool) -> int:
    """Fly it, say what came of it, and whether that is what the study has. 0: it passed, and is the
    same. Raises StudyError and what flights raise that cannot be."""
    folder = open_result(path)
    drawn, kept = _found(folder, index)
    study = folder.study
    if study.function:
        flown, lines, told = _called(study, drawn, record)
    else:
        flown, lines, told = _flown(study, drawn, record)
    is_same = _is_same(flown, kept)
    verdict = (
        "The same as in the study, to the bit."
        if is_same
        else "Not what the study has: it was flown by another version, or on another processor."
    )
    if as_json:
        metrics = {k: v if math.isfinite(v) else None for k, v in flown.metrics.items()}
        told |= {"metrics": metrics, "index": index, "drawn": drawn.values, "same": is_same}
        print(json.dumps(told))
    else:
        values = ", ".join(f"{name} = {value}" for name, value in drawn.values.items())
        print_lines([f"flight {index}, seed {drawn.seed}: {values}", *lines, verdict])
    return 0 if is_same and flown.outcome == PASSED else 1


def _found(folder: ResultFolder, index: int) -> tuple[Drawn, Flown]:
    for drawn, flown in folder.lines():
        if drawn.index == index:
            return drawn, flown
    raise StudyError(f"{folder.path} has no flight {index}; `lapwing study show` says how many.")


def _called(study: Study, drawn: Drawn, record: Path | None) -> tuple[Flown, list[str], Any]:
    if record is not None:
        raise StudyError("A function leaves no log; leave out --record.")
    function = load_function(study)
    flown = fly_one(lambda one: call(function, one), drawn)
    lines = [f"  {name}  {value:.6g}" for name, value in flown.metrics.items()]
    lines += [part for part in (flown.reason, flown.outcome.upper()) if part]
    return flown, lines, {"outcome": flown.outcome}


def _flown(study: Study, drawn: Drawn, record: Path | None) -> tuple[Flown, list[str], Any]:
    start_s = monotonic_s()
    report = ScenarioFlights(study).fly_again(drawn, record)
    metrics = {name: float(value) for name, value in report.outcome.metrics.items()}
    outcome = PASSED if report.passed else "failed"
    flown = Flown(drawn.index, metrics, outcome)
    return flown, as_lines(report, monotonic_s() - start_s), report.as_dict()


def _is_same(one: Flown, other: Flown) -> bool:
    if (one.outcome == PASSED) != (other.outcome == PASSED):
        return False
    return one.metrics.keys() == other.metrics.keys() and all(
        value == other.metrics[name] or (math.isnan(value) and math.isnan(other.metrics[name]))
        for name, value in one.metrics.items()
    )
