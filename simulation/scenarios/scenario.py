"""Scenarios: scripted flights with limits that say whether they went well."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "scenarios"
ACTIONS = frozenset(
    {"arm", "disarm", "fly", "hold", "land", "return", "silence", "takeoff", "wait", "wind"}
)


class ScenarioError(ValueError):
    """No such scenario, or one that cannot be read. The text is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the pilot (or the weather) does; which fields count depends on `do`.

    `seconds` is how long "fly", "hold", "silence" and "wait" take, `timeout_s` how long "arm",
    "takeoff", "land", "return" and "disarm" may take. Sticks are -1..1, throttle 0..1. `north`
    and `east` are the wind's velocity in m/s (blowing to), `gust` its standard deviation.
    """

    do: str
    seconds: float = 0.0
    timeout_s: float = 60.0
    mode: str = "Stabilized1"
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    throttle: float = 0.0
    north: float = 0.0
    east: float = 0.0
    gust: float = 0.0


@dataclass(frozen=True, slots=True)
class Scenario:
    """A flight to be flown. `limits` bounds results from above, by their names in the report."""

    name: str
    title: str
    steps: tuple[Step, ...]
    limits: Mapping[str, float] = field(default_factory=dict)


def scenario_names() -> tuple[str, ...]:
    """The shipped scenarios."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def load_scenario(name: str) -> Scenario:
    """Read a shipped scenario by name, or one from a file; raise ScenarioError."""
    path = Path(name) if name.endswith(".json") else _FOLDER / f"{name}.json"
    try:
        return _parse(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        known = ", ".join(scenario_names())
        raise ScenarioError(f"There is no scenario '{name}'; there are: {known}.") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ScenarioError(f"The scenario {path} cannot be read: {error}.") from error


def _parse(content: dict[str, Any]) -> Scenario:
    steps = tuple(Step(**step) for step in content["steps"])
    for step in steps:
        if step.do not in ACTIONS:
            raise ValueError(f"unknown step '{step.do}'")
    limits = {str(key): float(value) for key, value in content.get("limits", {}).items()}
    return Scenario(content["name"], content["title"], steps, limits)
