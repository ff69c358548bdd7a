"""Names of what a study can vary: `scenario.`, as `--set` of the scenario does; `aircraft.` and
`sensors.`, as the aircraft's file says them; `settings.`, as Object.Field.Element on board.

    scenario.wind_mps                                       a parameter, or a live control
    aircraft.mass_kg, aircraft.body.inertia_kgm2.0          a key, with its table where two have it
    sensors.gps.position_white_m, sensors.camera.rate_hz    of its table, or of one that is mounted
    settings.StabilizationSettingsBank1.RollRatePID.Kp
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from simulation.aircraft.aircraft import FOLDER, SECTIONS, path_of_aircraft
from simulation.autopilot.preset import Preset
from simulation.files.parameter_file import (
    NumberKey,
    ParameterFile,
    Schema,
    describe_rule,
    what_is_wrong,
)
from simulation.perception.sensor_file import load_sensor, schema_of
from simulation.scenarios.scenario import Scenario
from simulation.simulator.controls import CONTROLS
from simulation.studies.distribution import Distribution, StudyError, Value
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, UnknownObjectError
from telemetry.protocol.objects.definition import FieldType
from telemetry.protocol.objects.values import pack_values, read_path

_SIMILAR: Final = 3


@dataclass(slots=True)
class Changes:
    """What is otherwise in one flight: parameters of the scenario, keys of the aircraft's file by
    dotted name, and values of settings by object and field."""

    scenario: dict[str, float] = field(default_factory=dict)
    aircraft: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VariedThing:
    """Something that can vary: what it is without a study (None where nothing tells), how it is
    changed in a flight, and what is wrong with a value of it (a phrase, or ""). Some take `whole`
    numbers only."""

    name: str
    nominal: Any
    put: Callable[[Changes, Any], None]
    complaint: Callable[[Any], str]
    whole: bool = False

    def value(self, drawn: Value, *, is_relative: bool) -> Any:
        """What it becomes where this was drawn, which is a factor if it `is_relative`. Raises
        StudyError for what it cannot be."""
        value: Any = self._scaled(drawn) if is_relative else drawn
        if self.whole and isinstance(value, float):
            value = round(value)
        if wrong := self.complaint(value):
            raise StudyError(f"'{self.name}' {wrong}")
        return value

    def _scaled(self, factor: Value) -> Any:
        try:
            scaled: Any = np.multiply(self.nominal, factor, dtype=np.float64).tolist()
        except (TypeError, ValueError):
            raise StudyError(
                f"'{self.name}' is {self.nominal!r}, which no factor changes; leave out 'relative'."
            ) from None
        return scaled


class VariedNames:
    """Finds things by their names for flights of one aircraft, in one scenario if there is one."""

    def __init__(
        self, preset: Preset, catalogue: Catalogue, scenario: Scenario | None = None
    ) -> None:
        """Raises ParameterError for an aircraft whose file cannot be used."""
        self._preset = preset
        self._catalogue = catalogue
        self._scenario = scenario
        self._aircraft = preset.load_aircraft()
        self._file = ParameterFile(path_of_aircraft(preset.aircraft), FOLDER)
        self._sections = {s.name: s.keys for s in SECTIONS if self._file.has(s.name)}

    def find(self, name: str) -> VariedThing:
        """Raises StudyError, with the nearest names, for a name that is none."""
        kind, _, rest = name.partition(".")
        finders = {
            "scenario": self._of_scenario,
            "aircraft": self._of_aircraft,
            "sensors": self._of_sensor,
            "settings": self._of_settings,
        }
        if self._scenario is None:
            del finders["scenario"]
        if kind not in finders or not rest:
            known = ", ".join(f"{one}." for one in finders)
            raise StudyError(f"'{name}' cannot vary here; names begin with {known}.")
        return finders[kind](name, rest)

    def _of_scenario(self, name: str, rest: str) -> VariedThing:
        assert self._scenario is not None
        ranges = {c.name: (c.low, c.high) for c in CONTROLS}
        ranges |= {p.name: (p.low, p.high) for p in self._scenario.parameters}
        if rest not in ranges:
            raise _unknown(name, (f"scenario.{known}" for known in ranges))
        rule = NumberKey(*ranges[rest])
        defaults = {**{c.name: c.default for c in CONTROLS}, **self._scenario.values}
        whole = any(p.name == rest and p.whole for p in self._scenario.parameters)

        def put(changes: Changes, value: Any) -> None:
            changes.scenario[rest] = value

        return VariedThing(name, defaults[rest], put, _judge(rule), whole)

    def _of_aircraft(self, name: str, rest: str) -> VariedThing:
        section, _, key = _without_element(rest).rpartition(".")
        has_key = [one for one, keys in self._sections.items() if key in keys]
        found = [section] if section in has_key else ([] if section else has_key)
        if len(found) != 1:
            raise _unknown(name, self._aircraft_names(found or None, key))
        given = self._file.table(found[0]).get(key)
        return _of_key(name, (found[0], key), self._sections[found[0]], given)

    def _aircraft_names(self, sections: list[str] | None, key: str) -> list[str]:
        return [
            f"aircraft.{section}.{one}"
            for section, keys in self._sections.items()
            for one in keys
            if sections is None or (section in sections and one == key)
        ]

    def _of_sensor(self, name: str, rest: str) -> VariedThing:
        sensor, _, key = _without_element(rest).rpartition(".")
        section = f"sensors.{sensor}"
        if section in self._sections:
            schema, given = self._sections[section], self._file.table(section)
        else:
            section = f"mounts.{sensor}"
            mount = next((m for m in self._aircraft.mounts if m.name == sensor), None)
            if mount is None:
                raise _unknown(name, self._sensor_names())
            settings = load_sensor(mount)
            schema, given = schema_of(settings.kind), {**settings.values, **settings.faults}
        if key not in schema:
            raise _unknown(name, (f"sensors.{sensor}.{known}" for known in schema))
        return _of_key(name, (section, key), schema, given.get(key))

    def _sensor_names(self) -> list[str]:
        fitted = [s for s in self._sections if s.startswith("sensors.")]
        return [f"{s}.{key}" for s in fitted for key in self._sections[s]]

    def _of_settings(self, name: str, rest: str) -> VariedThing:
        object_name, _, path = rest.partition(".")
        try:
            definition = self._catalogue.find(object_name, DEFAULT_RELEASE)
        except UnknownObjectError:
            settings = (d for d in self._catalogue.release(DEFAULT_RELEASE) if d.settings)
            raise _unknown(name, (f"settings.{d.name}.{path}" for d in settings)) from None
        fields = [f"settings.{object_name}.{one}" for one in _paths(definition.fields)]
        if not path or not definition.settings or name not in fields:
            raise _unknown(name, fields)
        packed = pack_values(definition, self._preset_values(object_name))
        row = np.frombuffer(packed, definition.dtype)[0]
        given = read_path(definition, row, path)

        def put(changes: Changes, value: Any) -> None:
            changes.settings.setdefault(object_name, {})[path] = value

        def complaint(value: Any) -> str:
            try:
                pack_values(definition, {path: value})
            except ValueError as error:
                return f"cannot be {value}: {error}."
            return ""

        whole = definition.field_named(path.partition(".")[0]).type is not FieldType.FLOAT
        return VariedThing(name, given, put, complaint, whole)

    def _preset_values(self, object_name: str) -> Mapping[str, Any]:
        of_scenario = self._scenario.settings if self._scenario is not None else {}
        return {**self._preset.objects.get(object_name, {}), **of_scenario.get(object_name, {})}


def check_distribution(thing: VariedThing, how: Distribution) -> None:
    """Whether a thing takes all that comes of a distribution. Raises StudyError."""
    for end in (*how.ends, how.middle):
        thing.value(end, is_relative=how.is_relative)


def _of_key(name: str, place: tuple[str, str], schema: Schema, given: Any) -> VariedThing:
    """A key of a table of the aircraft's file, or one element of it."""
    section, key = place
    rule, dotted = schema[key], f"{section}.{key}"
    nominal = rule.default if given is None else given
    whole = isinstance(rule, NumberKey) and rule.whole
    last = name.rpartition(".")[2]
    if not last.isdigit():

        def put(changes: Changes, value: Any) -> None:
            changes.aircraft[dotted] = value

        return VariedThing(name, nominal, put, _judge(rule), whole)
    element = int(last)
    if not isinstance(nominal, list | tuple) or element >= len(nominal):
        raise StudyError(f"'{name}' is not there: {dotted} is {nominal!r}; count from 0.")

    def put_element(changes: Changes, value: Any) -> None:
        changes.aircraft.setdefault(dotted, list(nominal))[element] = value

    def complaint(value: Any) -> str:
        return _judge(rule)([*nominal[:element], value, *nominal[element + 1 :]])

    return VariedThing(name, nominal[element], put_element, complaint, whole)


def _judge(rule: Any) -> Callable[[Any], str]:
    def complaint(value: Any) -> str:
        wrong = what_is_wrong(value, rule)
        return f"{wrong}; it takes {describe_rule(rule)}." if wrong else ""

    return complaint


def _without_element(name: str) -> str:
    head, _, last = name.rpartition(".")
    return head if last.isdigit() else name


def _paths(fields: Iterable[Any]) -> Iterable[str]:
    """Each field of an object, and each element of those that have several."""
    for one in fields:
        yield one.name
        if one.elements > 1:
            yield from (f"{one.name}.{one.element_label(i)}" for i in range(one.elements))


def _unknown(name: str, known: Iterable[str]) -> StudyError:
    """What is near to a name that is none."""
    names = list(known)
    near = difflib.get_close_matches(name, names, _SIMILAR, 0.5) or names[:_SIMILAR]
    return StudyError(f"There is no '{name}' to vary; the nearest are {', '.join(near)}.")
