"""Fly all of them and print the table of the README: `make bench-peers`.

`python -m benchmarks.peers PYTHON`: the interpreter of the environment that has the others.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.calibration import calibrate
from benchmarks.peers import identified, reference
from benchmarks.peers.manoeuvre import FlownManoeuvre

_ROOT = Path(__file__).parent.parent.parent
_TIMEOUT_S = 300
_ENVIRONMENT = "Lapwing, 1,000 in an environment"
_OURS = {"Lapwing": "lapwing_flight", _ENVIRONMENT: "lapwing_environment"}
_PEERS = {
    "RotorPy": "rotorpy_flight",
    "PyBullet": "pybullet_flight",
    "MuJoCo": "mujoco_flight",
    "JSBSim": "jsbsim_flight",
}
_BAR = 7.0
_HEADINGS = (
    "Simulator",
    "steps/s of CPU",
    "brick, 10 s: position",
    "attitude",
    "quadrotor, 3 s: position",
    "attitude",
)


def main(words: Sequence[str]) -> int:
    """1 if one of them could not be flown."""
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    truth = {"brick": reference.brick(), "quadrotor": reference.quadrotor()}
    pythons = {name: (sys.executable, module) for name, module in _OURS.items()}
    pythons |= {name: (words[0], module) for name, module in _PEERS.items()}
    rows, speeds = [], {}
    for name, (python, module) in pythons.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        answer = _flown(python, module)
        speeds[name] = answer["steps_per_s"]
        rows.append((name, *_cells(answer, truth)))
    print(f"this machine: {calibrate().slowness:.2f} (1.00 is the machine of the bars)")
    _print_table(_HEADINGS, rows)
    times = speeds[_ENVIRONMENT] / speeds["PyBullet"]
    print(f"The environment steps {times:.1f} times as fast as PyBullet; the bar is {_BAR:g}.")
    print("RotorPy's course, and what its log tells …", file=sys.stderr, flush=True)
    compared = identified.identified(words[0])
    _print_table(identified.HEADINGS, [one.cells() for one in compared])
    print(f"{sum(one.is_met for one in compared)} of {len(compared)} are within their bars.")
    return 0


def _print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for row in (headings, ("---",) + ("--:",) * (len(headings) - 1), *rows):
        print(f"| {' | '.join(row)} |")


def _flown(python: str, module: str) -> dict[str, Any]:
    """Raises CalledProcessError where a peer failed; its own words are shown."""
    command = [python, "-m", f"benchmarks.peers.{module}"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=_TIMEOUT_S, cwd=_ROOT
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _cells(answer: dict[str, Any], truth: dict[str, FlownManoeuvre]) -> list[str]:
    cells = [f"{answer['steps_per_s']:,.0f}"]
    for name, true in truth.items():
        if name in answer["flown"]:
            flown = FlownManoeuvre(*(np.array(column) for column in answer["flown"][name]))
            cells += differences(flown, true)
        else:
            cells += ["-", "-"]
    return cells


def differences(flown: FlownManoeuvre, true: FlownManoeuvre) -> list[str]:
    """The largest over the flight: of position, and the angle between the attitudes."""
    away_mm = float(np.linalg.norm(flown.position - true.position, axis=1).max()) * 1e3
    # The angle's sine, which stays exact where it is small: |q - p| of the nearer sign.
    signs = np.sign((flown.quaternion * true.quaternion).sum(axis=1))[:, None]
    apart = np.linalg.norm(flown.quaternion - signs * true.quaternion, axis=1).max()
    angle_deg = float(np.degrees(4 * np.arcsin(min(apart / 2, 1.0))))
    return [f"{away_mm:.2g} mm", f"{angle_deg:.2g}°"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
