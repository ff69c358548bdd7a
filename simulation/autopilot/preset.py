"""Airframe presets: the values with which an airframe's firmware leaves the factory."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from simulation.files.checked_json import CheckedJson, is_number
from telemetry.base.installation import RESOURCES
from telemetry.base.text_formats import FormatError, parse_toml, read_limited

if TYPE_CHECKING:
    from simulation.aircraft.aircraft import AircraftParameters

DEFAULT_AIRCRAFT: Final = "ar100b"
"""The preset that is flown where none is named."""
Start = Literal["quick", "real"]
STARTS: Final[tuple[Start, ...]] = get_args(Start)
"""When a board is ready: as soon as its estimation is, or as late as firmware."""
_FOLDER = RESOURCES / "airframes"

_FORMAT = 1
_LONGEST_PERIOD_MS = 0xFFFF
_MOTOR_CONTROL = {"mixer": False, "propulsion model": True}
_ESTIMATOR = {"firmware": False, "lapwing": True}


class PresetError(ValueError):
    """No such preset, or one that cannot be read. The text is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Preset:
    """An airframe: the simulated aircraft it flies and its settings.

    `objects` holds, by object name, the values that stand in for the definitions' defaults: the
    only place where gains, mixer and limits of an aircraft are written down. In a file the name
    of another object in their place means the same values as that object's, and a `base` is the
    preset whose values are taken where this one has none.
    `inverts_propulsion`: motors are driven through the inverted propulsion model instead of the
    static mixer ("motor_control": "propulsion model" instead of "mixer").
    `has_own_filter`: where INS13 is chosen, Lapwing's own Kalman filter estimates in the place of
    firmware's ("estimator": "lapwing" instead of "firmware"); for experiments.
    `telemetry_period_ms` holds the update periods that differ from the definitions'.
    `deviations` are what of the aircraft's file is otherwise in this one aircraft, by dotted name.
    """

    name: str
    title: str
    aircraft: str
    objects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    telemetry_period_ms: Mapping[str, int] = field(default_factory=dict)
    inverts_propulsion: bool = False
    has_own_filter: bool = False
    deviations: Mapping[str, Any] = field(default_factory=dict)

    def load_aircraft(self) -> "AircraftParameters":
        """The aircraft that it flies. Raises ParameterError."""
        from simulation.aircraft.aircraft import load_aircraft  # 0.2 s that a window would wait

        return load_aircraft(self.aircraft, self.deviations)


def preset_names() -> tuple[str, ...]:
    """The shipped presets."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def load_preset(name: str) -> Preset:
    """Read a shipped preset by name, or one from a .json file; raise PresetError.

    A file may name an aircraft's .toml file, or a base, beside it. An aircraft's .toml file alone
    is set up as the shipped airframe that it is based on.
    """
    if name.endswith(".toml"):
        return _set_up_as_base(Path(name))
    path = Path(name) if name.endswith(".json") else _FOLDER / f"{name}.json"
    reader = _Reader.open(path, path.stem, "aircraft", preset_names)
    content = reader.laid_over_base(())
    for key in ("name", "title", "aircraft", "objects"):
        if key not in content:
            reader.fail(f"'{key}' is missing; add it.")
    return Preset(
        name=content["name"],
        title=content["title"],
        aircraft=content["aircraft"],
        objects=reader.resolved(content["objects"]),
        telemetry_period_ms=content.get("telemetry_period_ms", {}),
        inverts_propulsion=_MOTOR_CONTROL[content.get("motor_control", "mixer")],
        has_own_filter=_ESTIMATOR[content.get("estimator", "firmware")],
    )


def _set_up_as_base(path: Path) -> Preset:
    """The preset of what the file of an aircraft is based on, flown with that aircraft."""
    try:
        text = read_limited(path).decode("utf-8-sig", "replace")
        base = parse_toml(text, takes_any_number=True).get("base")
    except OSError as error:
        raise PresetError(f"{path} cannot be read: {error.strerror}.") from None
    except FormatError as error:
        raise PresetError(f"{path} is no file of an aircraft: {error}.") from None
    if base not in preset_names():
        raise PresetError(
            f"{path} describes an aircraft's physics only, and has no shipped one as its 'base' "
            "that says how it is set up; give the .json file of an airframe, which names it as its "
            "'aircraft'."
        )
    preset = load_preset(base)
    title = f"{preset.title} of {path.name}"
    return replace(preset, name=path.stem, title=title, aircraft=str(path))


@dataclass(frozen=True, slots=True)
class _File:
    """The keys of a file."""

    format: int = _FORMAT
    base: str = ""
    name: str = ""
    title: str = ""
    aircraft: str = ""
    motor_control: str = "mixer"
    estimator: str = "firmware"
    objects: Mapping[str, Any] = field(default_factory=dict)
    telemetry_period_ms: Mapping[str, int] = field(default_factory=dict)


class _Reader(CheckedJson):
    """One file, checked as far as that is possible without the definitions of its objects."""

    error = PresetError

    def laid_over_base(self, above: tuple[Path, ...]) -> dict[str, Any]:
        """What the file says, over what its base does; `above` are those it is the base of."""
        if self.path.resolve() in above:
            self.fail("it is based on a file that is based on it; leave out one 'base'.", "base")
        content = self._checked()
        if "base" not in content:
            return content
        named = content["base"]
        path = self.path.parent / named if named.endswith(".json") else _FOLDER / f"{named}.json"
        base = _Reader.open(path, path.stem, "aircraft", preset_names).laid_over_base(
            (*above, self.path.resolve())
        )
        objects = dict(base.get("objects", {}))
        for key, values in content.get("objects", {}).items():
            old = objects.get(key)
            if isinstance(values, dict) and isinstance(old, dict):
                objects[key] = {**old, **values}
            else:
                objects[key] = values
        return {**base, **content, "objects": objects}

    def resolved(self, objects: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """Put values in the place of references to them."""
        resolved: dict[str, Mapping[str, Any]] = {}
        for name, values in objects.items():
            meant = objects.get(values) if isinstance(values, str) else values
            if not isinstance(meant, dict):
                self.fail(f"{name} refers to {values}, which has no values of its own.", name)
            resolved[name] = meant
        return resolved

    def _checked(self) -> dict[str, Any]:
        content = self.content()
        self.check_keys(content, _File, " in an airframe")
        if content.get("format", _FORMAT) != _FORMAT:
            self.fail(f"this Lapwing reads format {_FORMAT} only; update it.", "format")
        for key, options in (("motor_control", _MOTOR_CONTROL), ("estimator", _ESTIMATOR)):
            chosen = content.get(key, next(iter(options)))
            if chosen not in options:
                known = "' or '".join(options)
                self.fail(f"'{key}' is '{chosen}'; write '{known}'.", key)
        for name, values in content.get("objects", {}).items():
            self._check_object(name, values)
        for name, period_ms in content.get("telemetry_period_ms", {}).items():
            if type(period_ms) is not int or not 0 <= period_ms <= _LONGEST_PERIOD_MS:
                self.fail(f"the period of {name} must be 0 to {_LONGEST_PERIOD_MS} whole ms.", name)
        for key in ("base", "aircraft"):
            named = content.get(key, "")
            if Path(named).name != named or not named.isprintable():
                self.fail(f"'{key}' is {named!r}; give a name, or a file beside this one.", key)
        if content.get("aircraft", "").endswith(".toml"):
            content["aircraft"] = str(self.path.parent / content["aircraft"])
        return content

    def _check_object(self, name: str, values: Any) -> None:
        if isinstance(values, str):
            return
        if not isinstance(values, dict):
            self.fail(f"'{name}' must hold fields and values, or name another object.", name)
        for path, value in values.items():
            for item in value if isinstance(value, list) else [value]:
                if not (isinstance(item, str) or is_number(item)):
                    self.fail(f"{name}.{path} takes finite numbers and texts, not {item!r}.", path)
