"""Recorded flights for pictures, flown anew by the simulator: the same to the bit each time."""

import subprocess
import sys
from pathlib import Path

_OPTIONS = {
    "out-and-back": ("out-and-back",),
    "step-test": ("step-test", "--record-rate", "100"),
    "filmed": (
        "out-and-back",
        *("--video-camera", "width=320,height=240,fps=15"),
        *("--video-fault", "offset=2.5"),
    ),
}


def flight_files(name: str, folder: Path) -> list[Path]:
    """The log of a flight, and its film if it has one."""
    log = folder / f"{name}.opl"
    files = [log, log.with_suffix(".avi")] if name == "filmed" else [log]
    if not log.exists():
        command = [sys.executable, "-m", "lapwing", "sim", "fly", *_OPTIONS[name]]
        command += ["--record", str(log)]
        command += ["--video", str(files[-1])] if len(files) > 1 else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return files
