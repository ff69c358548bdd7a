"""Child process: ending one that this process has started."""

import subprocess
from typing import Any

_PATIENCE_S = 2.0


def end_process(process: "subprocess.Popen[Any]", patience_s: float = _PATIENCE_S) -> None:
    """Ask it to end, and make it if it does not. One that has ended is fine."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
