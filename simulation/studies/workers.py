"""Workers: who flies the flights of a study. Here they are processes of this computer;
`simulation.studies.cluster` has those of a Dask cluster.
"""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple, Protocol

from simulation.studies.flight import Flown
from simulation.studies.flying import FlightBlock, fly_block

_BYTES_EACH: Final = 400 << 20
"""What a process takes, with its programs and one flight."""
_SHARE_OF_MEMORY: Final = 0.5
_PATIENCE_S: Final = 2.0
"""With a process that was asked to end."""


class Taken(NamedTuple):
    """A block that came back: with what came of its flights, or without, since the process that
    flew it `died`, or could not be reached any more."""

    block: FlightBlock
    flown: list[Flown] | None
    died: bool = False


class Workers(Protocol):
    """Processes that fly blocks at the same time."""

    @property
    def count(self) -> int:
        """How many."""

    @property
    def deaths(self) -> int:
        """How many of them have died so far."""

    @property
    def trouble(self) -> str:
        """Why nothing comes at present, as a sentence; "" while all is well."""

    def submit(self, block: FlightBlock) -> None:
        """Have a block flown. It comes back by `take`."""

    def take(self, longest_s: float) -> list[Taken]:
        """What has come back, waited for so long. Raises what a process raised that cannot fly
        the study at all."""

    def close(self) -> None:
        """End it; what is under way is lost."""


class ProcessWorkers:
    """Processes of this computer. When one dies all of them are started anew, as Python's pool
    wants it; what they were flying comes back without a result."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._deaths = 0
        self._came: SimpleQueue[tuple[FlightBlock, Future[list[Flown]], ProcessPoolExecutor]] = (
            SimpleQueue()
        )
        self._pool = self._started()

    @property
    def count(self) -> int:
        """How many."""
        return self._count

    @property
    def deaths(self) -> int:
        """How many times they had to be started anew."""
        return self._deaths

    @property
    def trouble(self) -> str:
        """None that lasts."""
        return ""

    def submit(self, block: FlightBlock) -> None:
        """Have a block flown."""
        try:
            future = self._pool.submit(fly_block, block)
        except BrokenProcessPool:
            self._start_anew(self._pool)
            future = self._pool.submit(fly_block, block)
        pool = self._pool
        future.add_done_callback(lambda done: self._came.put((block, done, pool)))

    def take(self, longest_s: float) -> list[Taken]:
        """What has come back."""
        taken = []
        try:
            block, future, pool = self._came.get(timeout=longest_s)
            while True:
                taken.append(self._taken(block, future, pool))
                block, future, pool = self._came.get_nowait()
        except Empty:
            return taken

    def close(self) -> None:
        """End them at once."""
        _end(self._pool)

    def _taken(
        self, block: FlightBlock, future: "Future[list[Flown]]", pool: ProcessPoolExecutor
    ) -> Taken:
        error = future.exception()
        if error is None:
            return Taken(block, future.result())
        if not isinstance(error, BrokenProcessPool):
            raise error
        self._start_anew(pool)
        return Taken(block, None, died=True)

    def _start_anew(self, broken: ProcessPoolExecutor) -> None:
        """Once for each pool that breaks."""
        if broken is self._pool:
            self._deaths += 1
            _end(broken)
            self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, _context(), initializer=_begin_worker)


def _context() -> BaseContext:
    """Processes that begin afresh. Where the system can, they are copies of one that has loaded
    what takes seconds, so that replacing one does not."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([fly_block.__module__])
    return context


def usual_count() -> int:
    """As many as there are processors, and memory for."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return max(1, min(cores, int(_SHARE_OF_MEMORY * _memory_bytes() / _BYTES_EACH)))


def _memory_bytes() -> float:
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def _begin_worker() -> None:
    """In the new process: Ctrl+C is for the parent, with whom it ends whatever becomes of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # what a user's function prints is not the study's answer
    parent = multiprocessing.parent_process()
    if parent is not None:
        watch = threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True)
        watch.start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _end(pool: ProcessPoolExecutor) -> None:
    """Without waiting for what is under way."""
    processes = list((pool._processes or {}).values())  # no public way before Python 3.14
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(_PATIENCE_S)
        process.kill()
