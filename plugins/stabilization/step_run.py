"""Step test run: gains flown in the simulator, in a process of its own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from telemetry.base.simulation_command import SimCommand
from widgets.line_chart import Floats

SCENARIO = "step-test"


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """How one axis answered: `time_s`, `desired` and `flown` (n,), in degrees or, for yaw, deg/s.

    Figures are None where there is none: a response that never comes there has no rise.
    """

    time_s: Floats
    desired: Floats
    flown: Floats
    rise_s: float | None
    overshoot: float | None
    settling_s: float | None
    rest: float | None


@dataclass(frozen=True, slots=True)
class StepResult:
    """The answers by axis ("Roll"), and what went wrong as a sentence ("" if nothing)."""

    answers: Mapping[str, Answer]
    has_crashed: bool = False
    problem: str = ""


class StepRun:
    """One flight of an airframe file. Raises OSError when it cannot be started."""

    def __init__(self, airframe: Mapping[str, Any]) -> None:
        self._command = SimCommand("lapwing-steps-")
        gains = self._command.folder / "gains.json"
        self._figure = self._command.folder / "figure.json"
        gains.write_text(json.dumps(airframe), encoding="utf-8")
        arguments = ["--scenario", SCENARIO, "--aircraft", str(gains)]
        self._command.start([*arguments, "--plot", str(self._figure)])

    def poll(self) -> StepResult | None:
        """The result, or None while it is flying."""
        if self._command.is_running:
            return None
        report = self._command.report()
        if report is None:
            problem = f"The step test did not fly: {self._command.reason()}"
            return StepResult({}, problem=problem)
        try:
            figure = json.loads(self._figure.read_text("utf-8"))
        except (OSError, json.JSONDecodeError):
            figure = {"axes": []}
        return result_of(report, figure)

    def close(self) -> None:
        """End it if it is still flying and drop its files. Closing twice is fine."""
        self._command.close()


def result_of(report: Mapping[str, Any], figure: Mapping[str, Any]) -> StepResult:
    """Read the command's report and the figure beside it."""
    metrics = report.get("metrics", {})
    answers = {}
    for axes in figure["axes"]:
        curves = {curve["label"]: curve for curve in axes["series"]}
        axis = axes["title"].lower()
        figures = {
            name: metrics.get(f"{axis}_{name}")
            for name in ("rise_s", "overshoot", "settling_s", "rest")
        }
        answers[axes["title"]] = Answer(
            np.array(curves["flown"]["x"], dtype=np.float64),
            np.array(curves["desired"]["y"], dtype=np.float64),
            np.array(curves["flown"]["y"], dtype=np.float64),
            **figures,
        )
    has_crashed = "crashed" in report.get("failed", ())
    problem = "" if answers or has_crashed else f"No steps were flown: {report.get('reason', '')}"
    return StepResult(answers, has_crashed, problem)
