"""Compiled code: the simulator's machine code, whether it is used, and its folder between starts.

It stands here because `lapwing doctor` tells it, which does not load the simulator.
"""

import hashlib
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from telemetry.base.folders import Folders
from telemetry.base.installation import ROOT

PLAIN_VARIABLE: Final = "LAPWING_PLAIN_PYTHON"
"""Set to 1, nothing is compiled: the simulator is plain Python, with the same results."""
CHECK_VARIABLE: Final = "LAPWING_CHECKED_CODE"
"""Set to 1, all that is compiled is checked while it runs, and kept nowhere."""
FOLDER_VARIABLE: Final = "LAPWING_CODE_FOLDER"
"""A folder for machine code, in place of the usual ones."""
SOURCES = ROOT / "simulation"
"""The copy of the sources that this is one of."""


def is_compiling(environ: Mapping[str, str]) -> bool:
    """Whether the simulator is compiled."""
    return environ.get(PLAIN_VARIABLE, "0") in ("", "0") and find_spec("llvmlite") is not None


def is_checking(environ: Mapping[str, str]) -> bool:
    """Whether what is compiled is checked while it runs."""
    return is_compiling(environ) and environ.get(CHECK_VARIABLE, "0") not in ("", "0")


def code_folders(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """Where machine code of this copy of the sources may be, the first choice first: the folder
    that the user names, else beside the sources, else the user's own for such."""
    copy = hashlib.sha256(str(SOURCES).encode()).hexdigest()[:16]
    if folder := environ.get(FOLDER_VARIABLE):
        return (Path(folder) / copy,)
    return SOURCES / "__pycache__", Folders.of_user(environ).cache / "programs" / copy


def code_folder(environ: Mapping[str, str]) -> Path | None:
    """The one it is kept in; None if none can be written, so that every start compiles."""
    for folder in code_folders(environ):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    return None
