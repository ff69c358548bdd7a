"""Gains flown in the simulator, in a process of its own, as fast as the machine can."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import plugins
from widgets.line_chart import Floats

SCENARIO = "step-test"
_ROOT = Path(plugins.__file__).resolve().parents[1]
_COMMAND = "lapwing sim: "
_END_TIMEOUT_S = 2.0


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
        self._folder = TemporaryDirectory(prefix="lapwing-steps-")
        folder = Path(self._folder.name)
        (folder / "gains.json").write_text(json.dumps(airframe), encoding="utf-8")
        command = [sys.executable, "-m", "simulation", "sim", "--json", "--scenario", SCENARIO]
        command += ["--aircraft", str(folder / "gains.json")]
        command += ["--plot", str(folder / "figure.json")]
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            try:
                self._process = subprocess.Popen(
                    command, cwd=_ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=err
                )
            except OSError:
                self._folder.cleanup()
                raise

    def poll(self) -> StepResult | None:
        """The result, or None while it is flying."""
        if self._process.poll() is None:
            return None
        folder = Path(self._folder.name)
        errors = (folder / "err").read_text("utf-8", "replace").strip().splitlines()
        try:
            report = json.loads((folder / "out").read_text("utf-8"))
        except json.JSONDecodeError:
            said = errors[-1].removeprefix(_COMMAND) if errors else ""
            reason = said or f"exit code {self._process.returncode}"
            return StepResult({}, problem=f"The step test did not fly: {reason}")
        try:
            figure = json.loads((folder / "figure.json").read_text("utf-8"))
        except (OSError, json.JSONDecodeError):
            figure = {"axes": []}
        return result_of(report, figure)

    def close(self) -> None:
        """End it if it is still flying and drop its files. Closing twice is fine."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_END_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()


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
