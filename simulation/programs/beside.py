"""Compiling beside: the programs on board, by another process while this one compiles its own.

`python -m simulation.programs.beside` compiles what is not kept on disk yet. Who needs it waits for
it there (`simulation.compiler.store`). Threads would not do: LLVM is called by one at a time.
"""

import os
import subprocess
import sys
from contextlib import suppress

from simulation.compiler.code_folder import code_folder
from telemetry.base.installation import ROOT

_started: list["subprocess.Popen[bytes]"] = []


def start() -> None:
    """Begin, if there is a folder to keep it in. It ends by itself."""
    if code_folder(os.environ) is None:
        return
    with suppress(OSError):  # who needs it compiles it then
        nothing = subprocess.DEVNULL
        command = [sys.executable, "-m", __name__]
        started = subprocess.Popen(command, cwd=ROOT, stdin=nothing, stdout=nothing, stderr=nothing)
        _started.append(started)


def main() -> None:
    """Compile."""
    from simulation.programs.on_board import fly

    _ = fly.handle
    from simulation.programs.kalman import kalman

    _ = kalman.handle


if __name__ == "__main__":
    main()
