"""A controller in a process of its own, asked in lock-step over a pipe."""

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from simulation.sil import host
from simulation.sil.target import ControllerTarget, SilError

_LOAD_TIMEOUT_S = 30.0
_END_TIMEOUT_S = 0.5
_KILL_TIMEOUT_S = 5.0


class ControllerFailed(Exception):  # noqa: N818 - reads as what happened
    """The controller gave no usable answer; the reason as words that follow "because"."""


class ControllerProcess:
    """Waits for its controller as long as it must: simulated time does not go on meanwhile."""

    def __init__(self, target: ControllerTarget, timeout_s: float) -> None:
        """Load the controller. Raises SilError if that is not possible."""
        context = multiprocessing.get_context("spawn")
        self._timeout_s = timeout_s
        self._pipe: Connection
        self._pipe, far_end = context.Pipe()
        self._process = context.Process(
            target=host.main, args=(far_end, target), name=f"controller {target.name}", daemon=True
        )
        with _deaf_to_interrupts():
            self._process.start()
        far_end.close()
        try:
            self._receive(_LOAD_TIMEOUT_S)
        except ControllerFailed as failure:
            self.close()
            raise SilError(
                f"The controller {target.name} cannot be used: {failure}. "
                "Correct it and start again."
            ) from failure

    def start(self, settings: bytes) -> None:
        """Hand over the settings; raise ControllerFailed."""
        self._ask(host.START + settings)

    def step(self, request: bytes) -> bytes:
        """One step: a STEP record in, an ACTUATORS record out; raise ControllerFailed."""
        return self._ask(host.STEP_ON + request)

    def close(self) -> None:
        """End the process, whatever it is doing, and wait for its end. Closing twice is fine."""
        self._pipe.close()
        self._process.join(_END_TIMEOUT_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_KILL_TIMEOUT_S)

    def _ask(self, message: bytes) -> bytes:
        try:
            self._pipe.send_bytes(message)
        except OSError:
            raise ControllerFailed(self._epitaph()) from None
        return self._receive(self._timeout_s)

    def _receive(self, timeout_s: float) -> bytes:
        try:
            if not self._pipe.poll(timeout_s):
                raise ControllerFailed(f"it took longer than {timeout_s:g} s")
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise ControllerFailed(self._epitaph()) from None
        if answer[:1] != host.DONE:
            raise ControllerFailed(answer[1:].decode("utf-8", "replace"))
        return answer[1:]

    def _epitaph(self) -> str:
        """How the process ended."""
        self._process.join(_END_TIMEOUT_S)
        code = self._process.exitcode
        if code is None:
            return "its process stopped answering"
        if code < 0:
            return f"it crashed ({_signal_name(-code)})"
        return f"it ended its process with exit code {code}"


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A process started in the block does not notice Ctrl+C, which a terminal sends to all: the
    simulator ends it. An interrupt meanwhile arrives after the block."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows; see simulation.sil.host
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
