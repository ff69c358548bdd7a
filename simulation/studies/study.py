"""Study: what is flown, how often, what varies and what is kept, as its file says."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from simulation.autopilot.preset import load_preset
from simulation.files.parameter_file import (
    NumberKey,
    ParameterFile,
    Schema,
    TextKey,
    WordKey,
    remedy_for,
)
from simulation.records.interface import OUTPUT
from simulation.scenarios.scenario import Scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.studies.distribution import StudyError
from simulation.studies.flight import PASSED, RESERVED
from simulation.studies.variation import BoundVariation, Variation, read_variation
from telemetry.base.installation import RESOURCES
from telemetry.protocol.objects.catalogue import Catalogue

FOLDER: Final = RESOURCES / "studies"
MOST_FLIGHTS: Final = 10_000_000
_FUNCTION: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")
_FASTEST_HZ: Final = 1000.0
_SAMPLINGS: Final = dict.fromkeys(("random", "latin-hypercube", "sobol", "grid"), 0)
_LOGS: Final = dict.fromkeys(("none", "failed", "all"), 0)

_TOP: Final[Schema] = {
    "name": TextKey("letters, digits, - and _"),
    "scenario": TextKey("the name of a scenario, or of its .json file", ""),
    "function": TextKey('"module:name"', ""),
    "aircraft": TextKey("the name of an aircraft, or of its .json or .toml file", ""),
    "flights": NumberKey(1, MOST_FLIGHTS, whole=True, default=100),
    "seed": NumberKey(0, 2**63 - 1, whole=True, default=1),
    "sampling": WordKey(_SAMPLINGS, default="random"),
    "gives_up_after": NumberKey(0, MOST_FLIGHTS, whole=True, default=50),
}
_KEEP: Final[Schema] = {
    "rate_hz": NumberKey(0.1, _FASTEST_HZ, default=50.0),
    "logs": WordKey(_LOGS, default="none"),
}
_STOP: Final[Schema] = {
    "metric": TextKey("the name of a metric"),
    "half_width": NumberKey(1e-12, 1e12),
    "confidence": NumberKey(0.5, 0.9999, default=0.95),
    "batch": NumberKey(2, MOST_FLIGHTS, whole=True, default=100),
}


@dataclass(frozen=True, slots=True)
class Keep:
    """What is kept of each flight besides its metrics: members of OUTPUT over time, and a log, of
    "none", "failed" or "all" of them."""

    columns: tuple[str, ...] = ()
    rate_hz: float = 50.0
    logs: str = "none"


@dataclass(frozen=True, slots=True)
class EarlyStop:
    """When to stop early: once the `confidence` interval of a metric's mean is at most twice
    `half_width` wide. That is asked after every `batch` flights, in the order of their numbers."""

    metric: str
    half_width: float
    confidence: float
    batch: int


@dataclass(frozen=True, slots=True)
class Study:
    """One study. It flies a `scenario` with an `aircraft` ("": the scenario's), or calls a
    `function`, "module:name", with a dictionary of parameters and a seed, which returns one of
    metrics. It `gives_up_after` that many flights if none of them has passed (0: never).
    `text` is its file, `folder` where that stands.
    """

    name: str
    scenario: str = ""
    function: str = ""
    aircraft: str = ""
    flights: int = 100
    seed: int = 1
    sampling: str = "random"
    gives_up_after: int = 50
    keep: Keep = field(default_factory=Keep)
    stop: EarlyStop | None = None
    vary: Variation = field(default_factory=lambda: Variation({}))
    text: str = ""
    folder: Path = field(default_factory=Path)

    def load_scenario(self, changes: Mapping[str, float] | None = None) -> Scenario:
        """Its scenario, which may stand beside its file. Raises ScenarioError."""
        beside = self.folder / self.scenario
        is_beside = self.scenario.endswith(".json") and beside.is_file()
        return load_scenario(str(beside) if is_beside else self.scenario, changes)

    def aircraft_of(self, scenario: Scenario) -> str:
        """The preset that is flown: its name, or its file, which may stand beside the study's."""
        beside = self.folder / self.aircraft
        if self.aircraft.endswith((".json", ".toml")) and beside.is_file():
            return str(beside)
        return self.aircraft or scenario.aircraft

    def bind(self, catalogue: Catalogue) -> BoundVariation:
        """What varies, found in its scenario and aircraft. Raises StudyError, ScenarioError,
        PresetError and ParameterError."""
        from simulation.studies.varied_names import VariedNames

        scenario = self.load_scenario()
        preset = load_preset(self.aircraft_of(scenario))
        return self.vary.bound_to(VariedNames(preset, catalogue, scenario))


def study_names() -> tuple[str, ...]:
    """The shipped studies."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_study(name_or_path: str | Path) -> Study:
    """The shipped study of that name, or the one in that file. Raises StudyError and
    ParameterError."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        if str(name_or_path) not in study_names():
            known = ", ".join(study_names()) or "none"
            raise StudyError(
                f"There is no study '{name_or_path}'; give a .toml file, or one of: {known}."
            )
        path = FOLDER / f"{name_or_path}.toml"
    return _read(ParameterFile(path))


def read_study(text: str, folder: Path) -> Study:
    """What the text of a study's file says that stands in `folder`. Raises the same."""
    return _read(ParameterFile(folder / "study.toml", text=text))


def _read(file: ParameterFile) -> Study:
    try:
        study = Study(
            **file.values("", _TOP, ("keep", "stop", "vary")),
            keep=_keep(file),
            stop=EarlyStop(**file.values("stop", _STOP)) if file.has("stop") else None,
            vary=read_variation(file.content.get("vary", {})),
            text=file.source,
            folder=file.path.parent,
        )
        _check_whole(study)
    except StudyError as error:
        raise StudyError(f"{file.path.name}: {error}") from None
    return study


def _keep(file: ParameterFile) -> Keep:
    if not file.has("keep"):
        return Keep()
    values = file.values("keep", _KEEP, ("columns", "metrics"))
    table = file.table("keep")
    if table.get("metrics", True) is not True:
        raise file.error("keep", "metrics", "Metrics are always kept.", "Leave it out.")
    columns, members = table.get("columns", []), OUTPUT.names or ()
    if not isinstance(columns, list) or not all(isinstance(one, str) for one in columns):
        raise file.error("keep", "columns", "'columns' is no list.", 'Write ["true_position"].')
    for column in columns:
        if column not in members:
            what = f"There is no column {column!r}."
            raise file.error("keep", "columns", what, remedy_for(column, members))
    steps = _FASTEST_HZ / values["rate_hz"]
    if abs(round(steps) / steps - 1.0) > 1e-6:
        what = f"{values['rate_hz']:g} Hz is no whole number of milliseconds."
        raise file.error("keep", "rate_hz", what, "Give 10, 20, 25, 50, 100, ...")
    return Keep(tuple(columns), float(values["rate_hz"]), values["logs"])


def _check_whole(study: Study) -> None:
    """What only shows when all parts are there."""
    if not _NAME.fullmatch(study.name):
        raise StudyError(f"'name' is {study.name[:80]!r}; write letters, digits, - and _.")
    if bool(study.scenario) == bool(study.function):
        raise StudyError("Give either a 'scenario' or a 'function'.")
    if study.function and not _FUNCTION.fullmatch(study.function):
        raise StudyError(f"'function' is {study.function[:80]!r}; write module:name.")
    for name, how in study.vary.distributions.items():
        if study.function and (how.is_relative or name in (*RESERVED, PASSED)):
            what = "has nothing to be relative to" if how.is_relative else "is a column's name"
            raise StudyError(f"'{name}' {what} in a study of a function; change it.")
    if study.function and study.aircraft:
        raise StudyError("A 'function' has no aircraft; leave 'aircraft' out.")
    if study.function and (study.keep.columns or study.keep.logs != "none"):
        raise StudyError("A 'function' leaves neither columns nor logs; leave them out of 'keep'.")
    _check_sampling(study)


def _check_sampling(study: Study) -> None:
    sampling, varied = study.sampling, study.vary.varied
    if sampling != "random" and not varied:
        raise StudyError(f"Nothing varies, so '{sampling}' has nothing to sample; add [vary].")
    if study.stop is not None and sampling in ("sobol", "grid"):
        raise StudyError(f"'{sampling}' needs all of its flights; leave out 'stop'.")
    if study.stop is not None and study.stop.batch > study.flights:
        raise StudyError("The batch of 'stop' is larger than 'flights'; lower it.")
    for name in varied:
        if sampling == "grid" and not study.vary.distributions[name].levels:
            raise StudyError(f"A grid needs to know how many values '{name}' has; add steps.")
