"""Flying for a study, in whichever process: flights in, what came of them out.

Only data and the name of a function travel: the text of the study, and for each flight its number,
what it has drawn, and its seed.
"""

import importlib
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from simulation.hitl import experiments as hitl_experiments
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import ScenarioReport, run_scenario
from simulation.scenarios.scenario import Scenario, overlaid
from simulation.scenarios.track import OutputTrack
from simulation.serving.recording_file import open_recording
from simulation.studies.distribution import StudyError, Value
from simulation.studies.flight import (
    CRASHED,
    DIVERGED,
    ERROR,
    FAILED,
    PASSED,
    RESERVED,
    Drawn,
    Flown,
)
from simulation.studies.study import Study, read_study
from telemetry.base.clock import monotonic_s
from telemetry.base.escaping import utf8_text
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.simulated_world import SimulatedWorld

Function = Callable[[dict[str, Value], int], object]

_LONGEST_REASON: Final = 2000

Fly = Callable[[Drawn], Flown]


@dataclass(frozen=True, slots=True)
class FlightBlock:
    """Flights that are flown one after the other by one process."""

    text: str
    folder: str
    drawn: tuple[Drawn, ...]


def fly_block(block: FlightBlock) -> list[Flown]:
    """Fly them. Raises StudyError and what `open_flights` does if the study cannot be flown by this
    process at all."""
    fly = _opened(block.text, block.folder)
    return [fly_one(fly, drawn) for drawn in block.drawn]


def fly_one(fly: Fly, drawn: Drawn) -> Flown:
    """Fly one flight. Whatever goes wrong is its outcome."""
    start_s = monotonic_s()
    try:
        flown = fly(drawn)
    except BaseException as error:  # noqa: BLE001 - the border to a user's function: reported
        flown = Flown(drawn.index, {}, ERROR, _reason(error))
    return replace(flown, seconds=monotonic_s() - start_s)


def _reason(error: BaseException) -> str:
    """Why something failed, whatever it is that was raised."""
    try:
        said = utf8_text(str(error))
    except Exception:  # noqa: BLE001 - a user's exception that cannot be shown
        said = ""
    kind = "" if isinstance(error, ValueError) and said else type(error).__name__
    return ": ".join(part for part in (kind, said) if part)[:_LONGEST_REASON]


def open_flights(study: Study) -> Fly:
    """What flies the flights of a study. Raises StudyError, ScenarioError, PresetError or
    ParameterError for what no flight of it could be."""
    return partial(call, load_function(study)) if study.function else ScenarioFlights(study).fly


@lru_cache(maxsize=2)
def _opened(text: str, folder: str) -> Fly:
    return open_flights(read_study(text, Path(folder)))


@cache
def _catalogue() -> Catalogue:
    return load_catalogue()


def call(function: Function, drawn: Drawn) -> Flown:
    """Call a user's function in the place of flying, and look at what it returns: metrics by name,
    and `passed`, if it can fail."""
    returned: object = function(deepcopy(dict(drawn.values)), drawn.seed)
    if not isinstance(returned, Mapping):
        kind = type(returned).__name__
        return Flown(drawn.index, {}, ERROR, f"It returned {kind}, not metrics by name.")
    metrics, complaints = {}, []
    if returned.get(PASSED, True) not in (True, 1):
        complaints.append("The function says so.")
    for given, value in returned.items():
        name = utf8_text(str(given))
        if name == PASSED:
            continue
        if name in drawn.values or name in RESERVED:
            complaints.append(f"It returned '{name}', which is the name of another column.")
            continue
        metrics[name] = number = _number(value)
        if not math.isfinite(number):
            shown = utf8_text(str(value)[:80])
            complaints.append(f"Its '{name}' is {shown}, which is no finite number.")
    return Flown(drawn.index, metrics, FAILED if complaints else PASSED, " ".join(complaints[:1]))


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


class ScenarioFlights:
    """Flies a study's scenario."""

    def __init__(self, study: Study) -> None:
        """Raises StudyError, ScenarioError, PresetError or ParameterError for what no flight of it
        could be."""
        self.study = study
        self._catalogue = _catalogue()
        self._bound = study.bind(self._catalogue)
        self._scenario = study.load_scenario()
        self._aircraft = study.aircraft_of(self._scenario)

    @property
    def way_flown(self) -> str:
        """Which way its flights take, and why."""
        return f"{self._experiment(Drawn(0, {}, 1)).way_flown}."

    def fly_again(self, drawn: Drawn, record: Path | None = None) -> ScenarioReport:
        """The same flight, for who wants to see all of it, with its log if that is wanted. Raises
        ValueError."""
        experiment = self._experiment(drawn)
        world, span_m = experiment.scenario.world_file, experiment.preset().load_aircraft().span_m
        noted = SimulatedWorld(world, drawn.seed, span_m) if world else None
        with ExitStack() as resources:
            recording = open_recording(record, _refuse, resources, noted)
            return run_scenario(
                replace(experiment, record=recording, without_link=False), hitl_experiments
            )

    def fly(self, drawn: Drawn) -> Flown:
        """Fly one."""
        keep = self.study.keep
        if keep.logs == "all":
            return self._fly_with_log(drawn)
        track = OutputTrack(keep.columns) if keep.columns else None
        steps = round(1000.0 / keep.rate_hz) if keep.columns else 0
        experiment = replace(self._experiment(drawn), track=track, record_steps=steps)
        report = run_scenario(experiment, hitl_experiments)
        flown = _flown(drawn, report)
        files = {}
        if track is not None and len(track):
            files["parquet"] = _as_parquet(track)
        if keep.logs == "failed" and flown.outcome != PASSED:
            files |= self._fly_with_log(drawn).files
        return replace(flown, files=files)

    def _fly_with_log(self, drawn: Drawn) -> Flown:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "flight.opl"
            flown = _flown(drawn, self.fly_again(drawn, log))
            files = {
                path.name.partition(".")[2]: path.read_bytes() for path in log.parent.iterdir()
            }
        return replace(flown, files=files)

    def _experiment(self, drawn: Drawn) -> Experiment:
        changes = self._bound.changes(drawn.values)
        scenario = self._with_settings(changes.scenario, changes.settings)
        return Experiment(
            scenario,
            drawn.seed,
            self._aircraft,
            self._catalogue,
            deviations=changes.aircraft,
            without_link=True,
        )

    def _with_settings(
        self, changed: Mapping[str, float], settings: Mapping[str, Mapping[str, Any]]
    ) -> Scenario:
        scenario = self.study.load_scenario(changed) if changed else self._scenario
        if not settings:
            return scenario
        return replace(scenario, settings=overlaid(scenario.settings, settings))


def load_function(study: Study) -> Function:
    """The user's function: of a module that is installed, or stands beside the study's file or in
    the present folder. Raises StudyError."""
    module_name, _, name = study.function.partition(":")
    try:
        with _importing_from(str(study.folder.absolute()), str(Path.cwd())):
            module = importlib.import_module(module_name)
    except Exception as error:  # noqa: BLE001 - the border to a user's module: reported
        raise StudyError(
            f"The module '{module_name}' of '{study.function}' cannot be imported "
            f"({type(error).__name__}: {error}); put it beside the study's file, or install it."
        ) from None
    function = getattr(module, name, None)
    if not callable(function):
        raise StudyError(f"The module '{module_name}' has no function '{name}'; correct one.")
    return function  # type: ignore[no-any-return]


@contextmanager
def _importing_from(*folders: str) -> Iterator[None]:
    """Have modules found in these folders too, after all others."""
    before = list(sys.path)
    sys.path.extend(folder for folder in folders if folder not in before)
    try:
        yield
    finally:
        sys.path[:] = before


def _flown(drawn: Drawn, report: ScenarioReport) -> Flown:
    outcome, metrics = report.outcome, {k: float(v) for k, v in report.outcome.metrics.items()}
    reason = " ".join(failure.sentence for failure in report.failures)[:_LONGEST_REASON]
    if report.passed:
        return Flown(drawn.index, metrics, PASSED)
    if outcome.diverged:
        return Flown(drawn.index, metrics, DIVERGED, reason)
    has_crashed = outcome.crashed and not report.experiment.scenario.may_crash
    return Flown(drawn.index, metrics, CRASHED if has_crashed else FAILED, reason)


def _as_parquet(track: OutputTrack) -> bytes:
    written = BytesIO()
    track.save(written)
    return written.getvalue()


def _refuse(what: str) -> None:
    raise StudyError(what)
