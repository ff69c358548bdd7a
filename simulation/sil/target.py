"""SIL target: what `--sil` names, and how it becomes a controller that runs.

    FILE.so, FILE.dll, FILE.dylib    a C library that has the functions of `lapwing_sil.h`
    FILE.c                           the same as source; built by the machine's compiler
    package.module:Class             a Python class, see `simulation.sil.controller`
    FILE.py:Class                    the same in a file

This is the one place where Lapwing runs code of its user's, because it was asked to by name.
Files from elsewhere (logs, aircraft, scenarios, settings) are data and never evaluated.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from simulation.sil.config import SilError
from telemetry.base.input_files import LARGEST_CODE_BYTES, check_file

HEADER_FOLDER: Final = Path(__file__).resolve().parent
_LIBRARIES = (".so", ".dll", ".dylib")
_BUILD_TIMEOUT_S = 120.0
# Without contraction a board with fused multiply-add computes what this machine does.
_FLAGS = ("-std=c99", "-O2", "-ffp-contract=off", "-Wall", "-shared", "-fPIC")


@dataclass(frozen=True, slots=True)
class ControllerTarget:
    """A controller to load: a library's `path`, or a Python `module` (name or file) and `cls`."""

    name: str
    library: Path | None = None
    module: str = ""
    cls: str = ""


def find_target(text: str, build_folder: Path) -> ControllerTarget:
    """Read what the user named; C source is built into `build_folder`. Raises SilError."""
    path = Path(text)
    if path.suffix in _LIBRARIES:
        return ControllerTarget(path.name, library=code_file(path, "--sil"))
    if path.suffix == ".c":
        return ControllerTarget(
            path.name, library=build_library(code_file(path, "--sil"), build_folder)
        )
    module, colon, cls = text.rpartition(":")
    if not (colon and module and cls.isidentifier()):
        raise SilError(
            f"'{text}' is no controller; give FILE.so, FILE.c, FILE.py:Class or "
            "package.module:Class."
        )
    if module.endswith(".py"):
        module = str(code_file(Path(module), "--sil"))
    return ControllerTarget(cls, module=module, cls=cls)


def find_compiler() -> str | None:
    """The machine's C compiler: $CC, else what is called cc, gcc or clang."""
    names = [name for name in (os.environ.get("CC"), "cc", "gcc", "clang") if name]
    return next((found for name in names if (found := shutil.which(name))), None)


def code_file(path: Path, option: str) -> Path:
    """The whole path of a file with the user's code. Raises SilError."""
    try:
        check_file(path, LARGEST_CODE_BYTES)
    except FileNotFoundError:
        raise SilError(f"There is no file {path}; check the path given to {option}.") from None
    except OSError as error:
        raise SilError(f"{path}, given to {option}, cannot be used: {error.strerror}.") from None
    return path.resolve()


def build_library(source: Path, folder: Path) -> Path:
    """Build C source into a library in `folder`; our headers are found. Raises SilError."""
    compiler = find_compiler()
    if compiler is None:
        raise SilError(
            f"{source.name} cannot be built: this machine has no C compiler (cc, gcc or clang). "
            "Install one, or give a library built elsewhere."
        )
    library = folder / f"{source.stem}.so"
    call = [compiler, *_FLAGS, f"-I{HEADER_FOLDER}", str(source), "-o", str(library), "-lm"]
    try:
        done = subprocess.run(
            call, capture_output=True, text=True, timeout=_BUILD_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SilError(f"{source.name} cannot be built: {compiler} failed ({error}).") from error
    if done.returncode != 0:
        raise SilError(
            f"{source.name} cannot be built: {_first_error(done.stderr)}. "
            f"The header is in {HEADER_FOLDER}."
        )
    return library


def _first_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = next((line for line in lines if "error" in line), lines[0] if lines else "no reason")
    return found.rstrip(".")
