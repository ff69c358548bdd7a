"""Installed versions: what a flight's result depends on besides the study, and whether two
processes have the same."""

import hashlib
import platform
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from simulation.autopilot.preset import load_preset
from simulation.programs.kernel import RUN_CODE
from simulation.programs.on_board import FLY_CODE
from simulation.studies.flying import load_function
from simulation.studies.study import read_study
from telemetry.base.input_files import LARGEST_CODE_BYTES, read_bytes

_PACKAGES: Final = ("lapwing", "numpy", "scipy", "dask", "distributed")
_WORD: Final = (1 << 64) - 1


def installed_versions(text: str, folder: str) -> dict[str, str]:
    """Versions by name, with digests of the compiled equations, and of scenario and aircraft, or of
    the module of the function. Raises StudyError and ValueError without them."""
    study = read_study(text, Path(folder))
    found = {name: _version(name) for name in _PACKAGES}
    found["python"] = platform.python_version()
    found["processor"] = f"{platform.system()} {platform.machine()}"
    found["equations"] = f"{RUN_CODE & _WORD:016x}{FLY_CODE & _WORD:016x}"
    if study.function:
        found["function"] = _digest_of(load_function(study).__module__)
        return found
    scenario = study.load_scenario()
    preset = load_preset(study.aircraft_of(scenario))
    physics = preset.load_aircraft().parameters.tobytes()
    placeless = replace(scenario, world_file=Path(scenario.world_file).name)
    found["scenario"] = _digest(repr(placeless).encode())
    found["aircraft"] = _digest(repr(replace(preset, aircraft="")).encode() + physics)
    return found


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _digest_of(module: str) -> str:
    file = getattr(sys.modules.get(module), "__file__", None)
    if not file or not Path(file).is_file():
        return "built in"
    return _digest(read_bytes(Path(file), LARGEST_CODE_BYTES))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
