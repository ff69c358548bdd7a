"""A scenario flown in a process of its own, as fast as the machine can; never waited for."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import simulation

_ROOT = Path(simulation.__file__).resolve().parents[1]
_COMMAND = "lapwing sim: "
_END_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a run. `report` is the command's JSON, empty if it did not get so far."""

    outcome: Literal["passed", "failed", "broken"]
    text: str
    report: Mapping[str, Any]


class ScenarioRun:
    """One run of `lapwing sim --scenario`. Raises OSError when it cannot be started."""

    def __init__(self, name: str, values: Mapping[str, float], seed: int) -> None:
        self.name = name
        self._folder = TemporaryDirectory(prefix="lapwing-scenario-")
        folder = Path(self._folder.name)
        self.recording = folder / f"{name}.opl"
        self.figure = folder / "figure.json"
        command = [sys.executable, "-m", "simulation", "sim", "--json", "--scenario", name]
        command += ["--seed", str(seed), "--record", str(self.recording)]
        command += ["--plot", str(self.figure)]
        for key, value in values.items():
            command += ["--set", f"{key}={value!r}"]
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            try:
                self._process = subprocess.Popen(
                    command, cwd=_ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=err
                )
            except OSError:
                self._folder.cleanup()
                raise

    def poll(self) -> Result | None:
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
            return Result("broken", f"The scenario did not fly: {reason}", {})
        if report["passed"]:
            return Result("passed", "Passed: every figure lies in its band.", report)
        return Result("failed", f"Failed: {report['reason']}", report)

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
