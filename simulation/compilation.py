"""Has the programs of a flight at hand: loaded from the cache on disk, or compiled.

Programs that are not in the cache are compiled at the same time, each in a process of its own
but one, so that on two cores the wait is that for half of all. If a process fails or the cache
cannot be written, this process compiles what is missing itself.
"""

import gc
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType

from simulation.kalman import kalman
from simulation.kernel import run
from simulation.on_board import fly
from simulation.program import Function, Handle, Program
from telemetry.compiler import cache_folder

PROGRAMS: Mapping[str, Program] = MappingProxyType({"run": run, "fly": fly, "kalman": kalman})
_ROOT = Path(__file__).resolve().parents[1]


@cache
def programs() -> tuple[Function, tuple[Handle, ...]]:
    """What runs `run`, and the handles of the programs on board to give it. Takes seconds the
    first time after an installation, some tenths of a second the first time in a process."""
    missing = [name for name, program in PROGRAMS.items() if not program.load()]
    shared = missing[1:] if cache_folder() else []
    with _no_garbage_collection():
        with ExitStack() as others:  # leaving it waits for them, whatever happens here
            for name in shared:
                others.enter_context(_compile_elsewhere(name))
            for name in missing[:1]:
                PROGRAMS[name].prepare()
        for name in missing[1:]:
            PROGRAMS[name].prepare()
    return run.run, (fly.handle, kalman.handle)


def _compile_elsewhere(name: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "simulation.compilation", name],
        cwd=_ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Compiling makes objects by the million that all stay in use; without a collector that
    looks through them again and again it takes a seventh less time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def main(arguments: Sequence[str]) -> None:
    """Compile the named programs into the cache, for another process that waits for them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that waits
    with _no_garbage_collection(), suppress(OSError, RuntimeError):
        for name in arguments:
            PROGRAMS[name].store()


if __name__ == "__main__":
    main(sys.argv[1:])
