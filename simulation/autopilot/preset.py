"""Airframe presets: the values with which an airframe's firmware leaves the factory."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

DEFAULT_AIRCRAFT: Final = "ar100b"
"""The preset that is flown where none is named."""
_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "airframes"

_MOTOR_CONTROL = {"mixer": False, "propulsion model": True}


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
    `telemetry_period_ms` holds the update periods that differ from the definitions'.
    """

    name: str
    title: str
    aircraft: str
    objects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    telemetry_period_ms: Mapping[str, int] = field(default_factory=dict)
    inverts_propulsion: bool = False


def preset_names() -> tuple[str, ...]:
    """The shipped presets."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def load_preset(name: str) -> Preset:
    """Read a shipped preset by name, or one from a file; raise PresetError."""
    try:
        content = _read(name, ())
        return Preset(
            name=content["name"],
            title=content["title"],
            aircraft=content["aircraft"],
            objects=_resolved(content["objects"]),
            telemetry_period_ms=content.get("telemetry_period_ms", {}),
            inverts_propulsion=_MOTOR_CONTROL[content.get("motor_control", "mixer")],
        )
    except FileNotFoundError as error:
        known = ", ".join(preset_names())
        missing = Path(error.filename).stem
        raise PresetError(f"There is no aircraft '{missing}'; there are: {known}.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PresetError(f"The airframe file {name} cannot be read: {error}.") from error


def _read(name: str, above: tuple[str, ...]) -> dict[str, Any]:
    """The content of a file laid over that of its base; `above` are those it is the base of."""
    if name in above:
        raise ValueError(f"it is based on {name}, which is based on it")
    path = Path(name) if name.endswith(".json") else _FOLDER / f"{name}.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if "base" not in content:
        return content
    base = _read(content["base"], (*above, name))
    objects = dict(base["objects"])
    for key, values in content["objects"].items():
        old = objects.get(key)
        if isinstance(values, dict) and isinstance(old, dict):
            objects[key] = {**old, **values}
        else:
            objects[key] = values
    return {**base, **content, "objects": objects}


def _resolved(objects: Mapping[str, Mapping[str, Any] | str]) -> dict[str, Mapping[str, Any]]:
    """Put values in the place of references to them."""
    resolved: dict[str, Mapping[str, Any]] = {}
    for name, values in objects.items():
        meant = objects[values] if isinstance(values, str) else values
        if isinstance(meant, str):
            raise ValueError(f"{name} refers to {values}, which refers to {meant}")
        resolved[name] = meant
    return resolved
