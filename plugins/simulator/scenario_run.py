"""Scenario run in a process of its own, as fast as the machine can; never waited for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from telemetry.base.simulation_command import SimCommand


@dataclass(frozen=True, slots=True)
class ScenarioRunResult:
    """What became of a run. `report` is the command's JSON, empty if it did not get so far."""

    outcome: Literal["passed", "failed", "broken"]
    text: str
    report: Mapping[str, Any]


class ScenarioRun:
    """One run of `lapwing sim --scenario`. Raises OSError when it cannot be started."""

    def __init__(self, name: str, values: Mapping[str, float], seed: int) -> None:
        self.name = name
        self._command = SimCommand("lapwing-scenario-")
        self.recording = self._command.folder / f"{name}.opl"
        self.figure = self._command.folder / "figure.json"
        arguments = ["--scenario", name, "--seed", str(seed), "--record", str(self.recording)]
        arguments += ["--plot", str(self.figure)]
        for key, value in values.items():
            arguments += ["--set", f"{key}={value!r}"]
        self._command.start(arguments)

    def poll(self) -> ScenarioRunResult | None:
        """The result, or None while it is flying."""
        if self._command.is_running:
            return None
        report = self._command.report()
        if report is None:
            return ScenarioRunResult(
                "broken", f"The scenario did not fly: {self._command.reason()}", {}
            )
        if report["passed"]:
            return ScenarioRunResult(
                "passed", f"Passed {report['basis']}: every figure lies in its band.", report
            )
        return ScenarioRunResult("failed", f"Failed: {report['reason']}", report)

    def close(self) -> None:
        """End it if it is still flying and drop its files. Closing twice is fine."""
        self._command.close()
