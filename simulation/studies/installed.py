"""Installed versions: what a flight's result depends on besides the study, and whether two
processes have the same."""

import hashlib
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from simulation.programs.kernel import RUN_CODE
from simulation.programs.on_board import FLY_CODE
from simulation.studies.flying import load_function
from simulation.studies.study import read_study
from telemetry.base.input_files import LARGEST_CODE_BYTES, read_bytes

_PACKAGES: Final = ("lapwing", "numpy", "scipy", "dask", "distributed")
_WORD: Final = (1 << 64) - 1
_MUST_AGREE: Final = ("lapwing", "equations", "function")
"""Digits of other packages may differ in the last place; these decide what is flown."""


def installed_versions(text: str, folder: str) -> dict[str, str]:
    """Versions by name, with a digest of the compiled equations, and of the module of a study's
    function. Raises StudyError without that module."""
    study = read_study(text, Path(folder))
    found = {name: _version(name) for name in _PACKAGES}
    found["python"] = platform.python_version()
    found["processor"] = f"{platform.system()} {platform.machine()}"
    found["equations"] = f"{RUN_CODE & _WORD:016x}{FLY_CODE & _WORD:016x}"
    if study.function:
        found["function"] = _digest_of(load_function(study).__module__)
    return found


def difference_from(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Why two processes cannot fly the same study, as a phrase; "" if they can."""
    differing = [
        f"{name} {theirs.get(name, 'missing')} in the place of {ours[name]}"
        for name in _MUST_AGREE
        if name in ours and ours[name] != theirs.get(name)
    ]
    return ", ".join(differing)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _digest_of(module: str) -> str:
    file = getattr(sys.modules.get(module), "__file__", None)
    if not file or not Path(file).is_file():
        return "built in"
    return hashlib.sha256(read_bytes(Path(file), LARGEST_CODE_BYTES)).hexdigest()[:16]
