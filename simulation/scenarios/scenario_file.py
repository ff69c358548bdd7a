"""Scenario files: JSON that is read as data, never evaluated, and checked key by key."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, NoReturn

from simulation.controls import CONTROLS, find_control
from simulation.scenarios.flight_measures import MEASURES
from simulation.scenarios.scenario import (
    ACTIONS,
    CRASHED,
    SCRIPT,
    Band,
    Measure,
    NegativeControl,
    Parameter,
    Scenario,
    ScenarioError,
    Step,
    Until,
    Upload,
)

FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "scenarios"


def scenario_names() -> tuple[str, ...]:
    """The shipped scenarios."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def load_scenario(name: str, changes: Mapping[str, float] | None = None) -> Scenario:
    """Read a shipped scenario by name, or one from a file, with some parameters changed.

    `changes` may also name live controls, which then hold from time 0. Raises ScenarioError.
    """
    path = Path(name) if name.endswith(".json") else FOLDER / f"{name}.json"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        known = ", ".join(scenario_names())
        raise ScenarioError(f"There is no scenario '{name}'; there are: {known}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"The scenario {path} cannot be read: {error}.") from None
    return _Reader(path, text).read(changes or {})


class _Reader:
    """One file: knows in which line a key stands."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text

    def read(self, changes: Mapping[str, float]) -> Scenario:
        content = self._content()
        self._check_keys(content, Scenario, "", without=("values",))
        parameters = tuple(
            self._parameter(item) for item in self._list(content, "parameters", Mapping)
        )
        values, world = self._changed(parameters, changes)
        for key in ("settings", "world", "steps"):
            if key in content:
                content[key] = self._substituted(content[key], values)
        scenario = Scenario(
            **{
                **content,
                "parameters": parameters,
                "values": values,
                "world": {**self._world(content.get("world", {}), "world"), **world},
                "settings": self._settings(content.get("settings", {}), "settings"),
                "steps": tuple(map(self._step, self._list(content, "steps", Mapping))),
                "measures": tuple(map(self._measure, self._list(content, "measures", object))),
                "bands": self._bands(content.get("bands", {})),
                "controls": tuple(
                    self._control(item, parameters)
                    for item in self._list(content, "controls", Mapping)
                ),
            }
        )
        self._check_whole(scenario)
        return scenario

    def fail(self, what: str, key: str = "") -> NoReturn:
        """Raise an error about `key`, whose first mention gives the line."""
        found = re.search(rf'"{re.escape(key)}"', self._text) if key else None
        line = f", line {self._text.count(chr(10), 0, found.start()) + 1}" if found else ""
        raise ScenarioError(f"{self._path}{line}: {what}")

    def _content(self) -> dict[str, Any]:
        try:
            content = json.loads(
                self._text, object_pairs_hook=self._pairs, parse_constant=self._constant
            )
        except json.JSONDecodeError as error:
            raise ScenarioError(
                f"{self._path}, line {error.lineno}: not valid JSON ({error.msg}); correct it."
            ) from None
        if not isinstance(content, dict):
            self.fail("a scenario is one JSON object; write { ... }.")
        return content

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            self.fail(f"'{twice}' is given twice; remove one.", twice)
        return content

    def _constant(self, text: str) -> float:
        self.fail(f"{text} is no number to fly with; give a finite one.")

    def _list(self, content: Mapping[str, Any], key: str, kind: type) -> list[Any]:
        items = content.get(key, [])
        if not isinstance(items, list) or not all(isinstance(item, kind) for item in items):
            what = "objects" if kind is Mapping else "entries"
            self.fail(f"'{key}' must be a list of {what}.", key)
        return items

    def _check_keys(
        self, content: Mapping[str, Any], kind: type, where: str, without: Sequence[str] = ()
    ) -> None:
        """Refuse keys that `kind` has no member for, missing ones and values of a wrong type."""
        members = [member for member in fields(kind) if member.name not in without]
        known = [member.name for member in members]
        for key in content:
            if key not in known:
                allowed = ", ".join(known)
                self.fail(f"unknown key '{key}'{where}; the known ones are {allowed}.", key)
        for member in members:
            required = member.default is MISSING and member.default_factory is MISSING
            if required and member.name not in content:
                self.fail(f"'{member.name}' is missing{where}; add it.")
            if member.name in content:
                self._check_type(content[member.name], member, where)

    def _check_type(self, value: Any, member: Any, where: str) -> None:
        is_flag = isinstance(value, bool)
        is_right = {
            float: isinstance(value, int | float) and not is_flag,
            str: isinstance(value, str),
            bool: is_flag,
        }.get(member.type, True)
        if not is_right:
            wanted = {float: "a number", str: "a text", bool: "true or false"}[member.type]
            self.fail(f"'{member.name}'{where} must be {wanted}, not {value!r}.", member.name)

    # The parts --------------------------------------------------------------------------

    def _parameter(self, item: Mapping[str, Any]) -> Parameter:
        self._check_keys(item, Parameter, " in a parameter")
        parameter = Parameter(**item)
        if not parameter.low <= parameter.default <= parameter.high:
            self.fail(
                f"the default of '{parameter.name}' lies outside of low and high; correct one.",
                parameter.name,
            )
        return parameter

    def _changed(
        self, parameters: Sequence[Parameter], changes: Mapping[str, float]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """The values of all parameters, and of the live controls that were changed."""
        by_name = {parameter.name: parameter for parameter in parameters}
        values = {parameter.name: parameter.default for parameter in parameters}
        world = {}
        controls = {control.name: control for control in CONTROLS}
        for name, value in changes.items():
            if name in by_name:
                values[name] = value
                _check_range(by_name[name], value)
            elif name in controls:
                world[name] = value
                _check_range(controls[name], value)
            else:
                known = ", ".join(
                    f"{p.name} ({p.low:g} to {p.high:g} {p.unit}".rstrip() + ")" for p in parameters
                )
                raise ScenarioError(
                    f"This scenario has no parameter '{name}'; it has: {known or 'none'}; "
                    f"and any live control: {', '.join(controls)}."
                )
        return values, world

    def _substituted(self, value: Any, values: Mapping[str, float]) -> Any:
        """Put numbers in the place of "$name" and "-$name"."""
        if isinstance(value, dict):
            return {key: self._substituted(item, values) for key, item in value.items()}
        if isinstance(value, list):
            return [self._substituted(item, values) for item in value]
        if isinstance(value, str) and value.lstrip("-").startswith("$"):
            sign, name = (-1.0, value[2:]) if value.startswith("-") else (1.0, value[1:])
            if name not in values:
                known = ", ".join(values) or "none"
                self.fail(f"'{value}' names no parameter; there are: {known}.", value)
            return sign * values[name] + 0.0  # no minus zero
        return value

    def _world(self, world: Any, where: str) -> dict[str, float]:
        if not isinstance(world, dict):
            self.fail(f"'{where}' must hold controls and their values.", where)
        for name, value in world.items():
            if not isinstance(value, int | float) or isinstance(value, bool):
                self.fail(f"the control '{name}' must be a number, not {value!r}.", name)
            try:
                _check_range(find_control(name), value)
            except ValueError as error:
                self.fail(str(error), name)
        return world

    def _settings(self, settings: Any, where: str) -> Mapping[str, Mapping[str, Any]]:
        """Object and field names are checked by the board that takes them."""
        if not isinstance(settings, dict) or not all(
            isinstance(values, dict) for values in settings.values()
        ):
            self.fail(f"'{where}' must hold objects with their fields' values.", where)
        return settings

    def _step(self, item: Mapping[str, Any]) -> Step:
        self._check_keys(item, Step, " in a step")
        do = item["do"]
        if do not in ACTIONS:
            self.fail(f"unknown step '{do}'; the known ones are {', '.join(ACTIONS)}.", do)
        parts: dict[str, Any] = {"values": self._world(item.get("values", {}), "values")}
        uploads = self._list(item, "objects", Mapping)
        for upload in uploads:
            self._check_keys(upload, Upload, " in an upload")
        parts["objects"] = tuple(Upload(**upload) for upload in uploads)
        until = item.get("until")
        if until is not None:
            self._check_keys(until, Until, " in 'until'")
            parts["until"] = Until(**until)
        step = Step(**{**item, **parts})
        if do in ("wait", "fly", "hold") and step.seconds <= 0.0 and until is None:
            self.fail(f"a step '{do}' never ends; give 'seconds' or 'until'.", do)
        return step

    def _measure(self, item: Any) -> Measure:
        content = {"metric": item, "measure": item} if isinstance(item, str) else item
        if not isinstance(content, dict):
            self.fail("a measure is a name or {metric, measure, during}.", "measures")
        self._check_keys(content, Measure, " in a measure")
        measure = Measure(**content)
        if measure.measure not in MEASURES:
            known = ", ".join(MEASURES)
            self.fail(
                f"unknown measure '{measure.measure}'; the known ones are {known}.", measure.measure
            )
        return measure

    def _bands(self, bands: Any) -> dict[str, Band]:
        if not isinstance(bands, dict):
            self.fail("'bands' must hold metrics with [low, high].", "bands")
        return {metric: self._band(metric, ends) for metric, ends in bands.items()}

    def _band(self, metric: str, ends: Any) -> Band:
        is_pair = isinstance(ends, list) and len(ends) == 2
        if not is_pair or not all(e is None or isinstance(e, int | float) for e in ends):
            self.fail(f"the band of '{metric}' must be [low, high], null for an open end.", metric)
        low = -math.inf if ends[0] is None else ends[0]
        high = math.inf if ends[1] is None else ends[1]
        if low > high:
            self.fail(f"the band of '{metric}' is empty; swap its ends.", metric)
        return Band(low, high)

    def _control(self, item: Mapping[str, Any], parameters: Sequence[Parameter]) -> NegativeControl:
        self._check_keys(item, NegativeControl, " in a negative control")
        control = NegativeControl(**item)
        self._settings(control.settings, "settings")
        self._changed(parameters, control.set)
        return control

    def _check_whole(self, scenario: Scenario) -> None:
        """What only shows when all parts are there."""
        if not scenario.steps and not scenario.experiment:
            self.fail("nothing is flown; give 'steps' or an 'experiment'.")
        if scenario.experiment and not re.fullmatch(r"[a-z][a-z0-9_]*", scenario.experiment):
            self.fail(
                f"'{scenario.experiment}' is no module's name; use a-z, 0-9 and _.", "experiment"
            )
        if not scenario.bands:
            self.fail("without 'bands' nothing can fail; give at least one metric's [low, high].")
        if not scenario.experiment:
            self._check_script(scenario)

    def _check_script(self, scenario: Scenario) -> None:
        measured = {measure.metric for measure in scenario.measures}
        labels = {step.label for step in scenario.steps} | {""}
        for metric in scenario.bands:
            if metric not in measured:
                self.fail(f"'{metric}' has a band but is not among 'measures'; add it.", metric)
        for measure in scenario.measures:
            if measure.during not in labels:
                self.fail(
                    f"no step has the label '{measure.during}'; give one that.", measure.during
                )
        for control in scenario.controls:
            if control.fails not in (*scenario.bands, CRASHED, SCRIPT):
                self.fail(
                    f"a negative control fails by '{control.fails}', which has no band; name one "
                    f"of {', '.join((*scenario.bands, CRASHED, SCRIPT))}.",
                    control.fails,
                )


def _check_range(bounded: Any, value: float) -> None:
    """Refuse a value outside of a parameter's or control's range."""
    if math.isfinite(value) and bounded.low <= value <= bounded.high:
        if not getattr(bounded, "whole", False) or float(value).is_integer():
            return
        raise ScenarioError(f"{bounded.name} cannot be {value:g}; give a whole number.")
    unit = f" {bounded.unit}" if bounded.unit else ""
    raise ScenarioError(
        f"{bounded.name} cannot be {value:g}; give {bounded.low:g} to {bounded.high:g}{unit}."
    )
