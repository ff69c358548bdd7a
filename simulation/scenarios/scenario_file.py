"""Scenario files: JSON that is read as data, never evaluated, and checked key by key."""

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from simulation.autopilot.preset import STARTS
from simulation.files.checked_json import CheckedJson
from simulation.scenarios.flight_measures import MEASURES
from simulation.scenarios.scenario import (
    ACTIONS,
    CRASHED,
    SCRIPT,
    Band,
    Measure,
    NegativeControl,
    Scenario,
    ScenarioError,
    ScenarioParameter,
    ScenarioStep,
    Until,
    Upload,
)
from simulation.simulator.controls import CONTROLS, find_control
from telemetry.base.installation import RESOURCES
from telemetry.protocol.objects.definition import MAX_INSTANCES
from telemetry.recording.simulated_world import split_world

_NAMED: Final = re.compile(r"\$\w+")
FOLDER: Final = RESOURCES / "scenarios"


def scenario_names() -> tuple[str, ...]:
    """The shipped scenarios."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def load_scenario(name: str, changes: Mapping[str, float] | None = None) -> Scenario:
    """Read a shipped scenario by name, or one from a file, with some parameters changed.

    `changes` may also name live controls, which then hold from time 0. Raises ScenarioError.
    """
    path = Path(name) if name.endswith(".json") else FOLDER / f"{name}.json"
    return _Reader.open(path, name, "scenario", scenario_names).read(changes or {})


class _Reader(CheckedJson):
    """One scenario, part by part."""

    error = ScenarioError

    def read(self, changes: Mapping[str, float]) -> Scenario:
        content = self.content()
        self.check_keys(content, Scenario, "", without=("values",))
        parameters = tuple(
            self._parameter(item) for item in self.list_of(content, "parameters", Mapping)
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
                "world_file": self._world_file(content.get("world_file", ""), values),
                "settings": self._settings(content.get("settings", {}), "settings"),
                "steps": tuple(map(self._step, self.list_of(content, "steps", Mapping))),
                "measures": tuple(map(self._measure, self.list_of(content, "measures", object))),
                "bands": self._bands(content.get("bands", {})),
                "controls": tuple(
                    self._control(item, parameters)
                    for item in self.list_of(content, "controls", Mapping)
                ),
            }
        )
        self._check_whole(scenario)
        return scenario

    # The parts --------------------------------------------------------------------------

    def _parameter(self, item: Mapping[str, Any]) -> ScenarioParameter:
        self.check_keys(item, ScenarioParameter, " in a parameter")
        parameter = ScenarioParameter(**item)
        if not parameter.low <= parameter.default <= parameter.high:
            self.fail(
                f"the default of '{parameter.name}' lies outside of low and high; correct one.",
                parameter.name,
            )
        return parameter

    def _changed(
        self, parameters: Sequence[ScenarioParameter], changes: Mapping[str, float]
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
                raise ScenarioError(_not_to_be_set(name, parameters))
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
        for name, value in self.numbers(world, where).items():
            try:
                _check_range(find_control(name), value)
            except ValueError as error:
                self.fail(str(error), name)
        return dict(world)

    def _world_file(self, name: Any, values: Mapping[str, float]) -> str:
        """The name of a world that ships, or the path of one beside the scenario, with numbers in
        the place of "$name"."""
        if name == "":
            return ""
        from simulation.worlds.world import WorldError
        from simulation.worlds.world_file import load_world

        if not isinstance(name, str):
            self.fail("'world_file' must be the name or the folder of a world.", "world_file")
        name = _NAMED.sub(lambda found: f"{self._substituted(found.group(), values):g}", name)
        folder = split_world(name)[0]
        is_beside = (self.path.parent / folder).exists()
        where = str(self.path.parent / name) if is_beside else name
        try:
            load_world(where)
        except WorldError as error:
            self.fail(str(error), "world_file")
        return where

    def _settings(self, settings: Any, where: str) -> Mapping[str, Mapping[str, Any]]:
        """Object and field names are checked by the board that takes them."""
        if not isinstance(settings, dict) or not all(
            isinstance(values, dict) for values in settings.values()
        ):
            self.fail(f"'{where}' must hold objects with their fields' values.", where)
        return settings

    def _step(self, item: Mapping[str, Any]) -> ScenarioStep:
        self.check_keys(item, ScenarioStep, " in a step")
        do = item["do"]
        if do not in ACTIONS:
            self.fail(f"unknown step '{do}'; the known ones are {', '.join(ACTIONS)}.", do)
        parts: dict[str, Any] = {"values": self._world(item.get("values", {}), "values")}
        uploads = self.list_of(item, "objects", Mapping)
        for upload in uploads:
            self.check_keys(upload, Upload, " in an upload")
            if not 0 <= upload.get("instance", 0) < MAX_INSTANCES:
                self.fail(f"an 'instance' must be 0 to {MAX_INSTANCES - 1}.", "instance")
        parts["objects"] = tuple(Upload(**upload) for upload in uploads)
        until = item.get("until")
        if until is not None:
            if not isinstance(until, Mapping):
                self.fail("'until' must be {object, field, value}.", "until")
            self.check_keys(until, Until, " in 'until'")
            if not isinstance(until["value"], int | float | str):
                self.fail("the 'value' of 'until' must be a number or a text.", "value")
            parts["until"] = Until(**until)
        step = ScenarioStep(**{**item, **parts})
        for stick, low in (("roll", -1), ("pitch", -1), ("yaw", -1), ("throttle", 0)):
            if not low <= getattr(step, stick) <= 1:
                self.fail(f"the stick '{stick}' goes from {low} to 1 only.", stick)
        if do in ("wait", "fly", "hold") and step.seconds <= 0.0 and until is None:
            self.fail(f"a step '{do}' never ends; give 'seconds' or 'until'.", do)
        return step

    def _measure(self, item: Any) -> Measure:
        content = {"metric": item, "measure": item} if isinstance(item, str) else item
        if not isinstance(content, dict):
            self.fail("a measure is a name or {metric, measure, during}.", "measures")
        self.check_keys(content, Measure, " in a measure")
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

    def _control(
        self, item: Mapping[str, Any], parameters: Sequence[ScenarioParameter]
    ) -> NegativeControl:
        self.check_keys(item, NegativeControl, " in a negative control")
        control = NegativeControl(**item)
        self._settings(control.settings, "settings")
        try:
            self._changed(parameters, self.numbers(control.set, "set"))
        except ScenarioError as error:
            self.fail(f"a negative control cannot be set: {error}", "controls")
        return control

    def _check_whole(self, scenario: Scenario) -> None:
        """What only shows when all parts are there."""
        if not scenario.steps and not scenario.experiment:
            self.fail("nothing is flown; give 'steps' or an 'experiment'.")
        if scenario.experiment and not re.fullmatch(r"[a-z][a-z0-9_]*", scenario.experiment):
            self.fail(
                f"'{scenario.experiment}' is no module's name; use a-z, 0-9 and _.", "experiment"
            )
        if scenario.start not in STARTS:
            self.fail(f"'start' is '{scenario.start}'; write {' or '.join(STARTS)}.", "start")
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


def _not_to_be_set(name: str, parameters: Sequence[ScenarioParameter]) -> str:
    """A sentence with what can be set: what looks like it, or else everything."""
    controls = [control.name for control in CONTROLS]
    similar = difflib.get_close_matches(name, [*(p.name for p in parameters), *controls], 1)
    known = ", ".join(
        f"{p.name} ({p.low:g} to {p.high:g} {p.unit}".rstrip() + ")" for p in parameters
    )
    remedy = f"write {similar[0]}" if similar else f"live controls are: {', '.join(controls)}"
    return f"This scenario has no parameter '{name}'; it has: {known or 'none'}; {remedy}."


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
