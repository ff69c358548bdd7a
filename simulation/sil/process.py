"""SIL controller in a process of its own, asked in lock-step through memory that both share."""

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from simulation.sil import host
from simulation.sil.config import SilError
from simulation.sil.mailbox import END, START, STEP_ON, Mailbox
from simulation.sil.target import ControllerTarget

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
        self._mailbox = Mailbox(context)
        self._record = self._mailbox.record
        self._asked = self._mailbox.part("asked").cast("q")
        self._request = self._mailbox.part("step")
        self._is_refused = self._mailbox.part("is_refused").cast("q")
        self._actuators = self._mailbox.part("actuators")
        self._process = context.Process(
            target=host.main,
            args=(self._mailbox, target),
            name=f"controller {target.name}",
            daemon=True,
        )
        with _deaf_to_interrupts():
            self._process.start()
        try:
            self._await_answer(_LOAD_TIMEOUT_S)
        except ControllerFailed as failure:
            self.close()
            raise SilError(
                f"The controller {target.name} cannot be used: {failure}. "
                "Correct it and start again."
            ) from failure

    def start(self, settings: bytes) -> None:
        """Hand over the settings; raise ControllerFailed."""
        self._mailbox.part("settings")[:] = settings
        self._ask(START)

    def step(self, request: "memoryview[int]") -> "memoryview[int]":
        """One step: a STEP record in, an ACTUATORS record out, which is the controller's memory;
        raise ControllerFailed."""
        self._request[:] = request
        self._ask(STEP_ON)
        return self._actuators

    def close(self) -> None:
        """End the process, whatever it is doing, and wait for its end. Closing twice is fine."""
        self._asked[0] = END
        self._mailbox.ask()
        self._process.join(_END_TIMEOUT_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_KILL_TIMEOUT_S)

    def _ask(self, what: int) -> None:
        self._asked[0] = what
        self._mailbox.ask()
        self._await_answer(self._timeout_s)

    def _await_answer(self, timeout_s: float) -> None:
        if not self._mailbox.await_answer(timeout_s, self._process.is_alive):
            if self._process.is_alive():
                raise ControllerFailed(f"it took longer than {timeout_s:g} s")
            raise ControllerFailed(self._epitaph())
        if self._is_refused[0]:
            raise ControllerFailed(bytes(self._record["reason"]).decode("utf-8", "replace"))

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
