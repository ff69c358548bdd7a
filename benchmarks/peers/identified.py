"""Comparison of what `lapwing identify` finds in RotorPy's flight with RotorPy's own numbers.

RotorPy has what Lapwing lacks, a lift by flow across the discs (k_h: 2 % of the weight in this
wind, 10 % in the fastest runs), torque that inflow does not change, and a gravity of 9.81 m/s2.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.peers import course
from benchmarks.peers.course_log import Columns, write_course_log
from simulation.aircraft.aircraft import load_aircraft
from simulation.identification.parameters import changed

_ROOT = Path(__file__).parent.parent.parent
_AIRCRAFT = Path(__file__).with_name("course.toml")
_LAPWING = (sys.executable, "-c", "import sys, lapwing; sys.exit(lapwing.main())")
_TIMEOUT_S = 900
_BAR_SHARE, _BAR_MPS, _BAR_MS = 0.1, 0.5, 3.0
_AXES = ("roll", "pitch", "yaw")
HEADINGS = ("Of RotorPy's flight", "unit", "file", "truth", "found", "sigma", "bar")


class Compared(NamedTuple):
    """A number as the aircraft's file, RotorPy and the log have it."""

    title: str
    unit: str
    file: float
    truth: float
    found: float
    sigma: float
    bar: float

    @property
    def is_met(self) -> bool:
        """Whether what was found is as near to the truth as is asked for."""
        return abs(self.found - self.truth) <= self.bar

    def cells(self) -> tuple[str, ...]:
        """Of the row under `HEADINGS`."""
        numbers = (f"{number:.3g}" for number in self[2:6])
        return (self.title, self.unit, *numbers, f"± {self.bar:.3g}")


def identified(python: str) -> list[Compared]:
    """Raises CalledProcessError where RotorPy failed, or nothing was found."""
    with TemporaryDirectory() as folder:
        log, saved = Path(folder) / "rotorpy.opl", Path(folder) / "rotorpy.npz"
        _run(python, "-m", "benchmarks.peers.rotorpy_course", str(saved))
        with np.load(saved) as flown:
            truth: Columns = dict(flown)
        full_speed = float(load_aircraft(_AIRCRAFT).parameters["full_speed"])
        write_course_log(log, truth, full_speed)
        told = _run(*_LAPWING, "identify", str(log), "--aircraft", str(_AIRCRAFT), "--json")
    return list(_compared(json.loads(told)["parameters"], truth))


def _run(*command: str) -> str:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=_TIMEOUT_S, cwd=_ROOT
    )
    return done.stdout


def _compared(told: Mapping[str, Any], truth: Columns) -> Iterator[Compared]:
    """What is a ratio, as a factor of RotorPy's."""
    file = load_aircraft(_AIRCRAFT)
    found = {name: one["value"] for name, one in told.items() if one["excited"]}
    of_file, of_log = _ratios(file.parameters), _ratios(changed(file, found).parameters)
    for name, true in _ratios_of_rotorpy(truth).items():
        title, share = told[name]["title"], of_log[name] / true
        sigma = share * told[name]["sigma"] / found[name]
        yield Compared(title, "x truth", of_file[name] / true, 1.0, share, sigma, _BAR_SHARE)
    tau_ms, (east, north, _) = 1e3 * float(truth["tau_m"]), course.WIND_MPS
    file_tau_ms = 1e3 * float(file.parameters["motor_tau"][0])
    for name, nominal, true, bar in (
        ("motor_time_constant_ms", file_tau_ms, tau_ms, _BAR_SHARE * tau_ms),
        ("dead_time_ms", 0.0, 1e3 * course.DEAD_TIME_S, _BAR_MS),
        ("wind_north_mps", 0.0, north, _BAR_MPS),
        ("wind_east_mps", 0.0, east, _BAR_MPS),
    ):
        one = told[name]
        yield Compared(one["title"], one["unit"], nominal, true, found[name], one["sigma"], bar)


def _ratios(p: np.void) -> dict[str, float]:
    roll, pitch, yaw = (float(p["alpha"]) / p["inertia"]).tolist()
    return {
        "thrust_per_mass": float(p["alpha"] / p["mass"]),
        "drag_per_mass": float(p["k_d"] / p["mass"]),
        "torque_per_inertia_roll": roll,
        "torque_per_inertia_pitch": pitch,
        "torque_per_inertia_yaw": yaw * float(p["k_t"]),
    }


def _ratios_of_rotorpy(numbers: Columns) -> dict[str, float]:
    n = {name: float(number) for name, number in numbers.items() if number.ndim == 0}
    return {
        "thrust_per_mass": n["k_eta"] / n["mass"],
        "drag_per_mass": n["k_d"] / n["mass"],
        "torque_per_inertia_roll": n["k_eta"] / n["Ixx"],
        "torque_per_inertia_pitch": n["k_eta"] / n["Iyy"],
        "torque_per_inertia_yaw": n["k_m"] / n["Izz"],
    }
