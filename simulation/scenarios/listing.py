"""The list of shipped scenarios, for `lapwing sim scenarios`."""

from typing import Any

from simulation.scenarios.scenario import ScenarioParameter
from simulation.scenarios.scenario_file import load_scenario, scenario_names


def as_rows() -> list[dict[str, Any]]:
    """All scenarios, ready for JSON."""
    return [
        {
            "scenario": scenario.name,
            "test": scenario.test,
            "title": scenario.title,
            "aircraft": scenario.aircraft,
            "lockstep": not scenario.without_board,
            "without_board": scenario.without_board or None,
            "parameters": [
                {
                    "name": p.name,
                    "title": p.title,
                    "unit": p.unit,
                    "default": p.default,
                    "range": [p.low, p.high],
                }
                for p in scenario.parameters
            ],
        }
        for scenario in map(load_scenario, scenario_names())
    ]


def as_lines() -> list[str]:
    """The same for people: one line each, and one per parameter."""
    lines = []
    for scenario in map(load_scenario, scenario_names()):
        lines.append(f"{scenario.name:22} {scenario.test:3} {scenario.title} [{scenario.aircraft}]")
        if scenario.without_board:
            lines.append(f"{'':27}not by --firmware: it {scenario.without_board}")
        lines += [f"{'':27}--set {_as_text(p)}" for p in scenario.parameters]
    return lines


def _as_text(p: ScenarioParameter) -> str:
    unit = f" {p.unit}" if p.unit else ""
    return f"{p.name}={p.default:g}  {p.title}, {p.low:g} to {p.high:g}{unit}"
