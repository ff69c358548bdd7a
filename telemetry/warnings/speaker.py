"""Speaker thread: it speaks and sounds; whoever tells it something never waits.

What it speaks with is imported by it, with the first thing to say.
"""

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from telemetry.base.clock import monotonic_s
from telemetry.warnings.speech_queue import Utterance

if TYPE_CHECKING:
    from telemetry.warnings.speech_worker import SpeechWorker

_PERIOD_S = 0.05
_CLOSE_PATIENCE_S = 0.5


def _system_worker() -> "SpeechWorker":
    from telemetry.warnings.speech_worker import system_worker

    return system_worker()


class Speaker:
    """The thread; it begins with the first thing to say. `voice_name` is "" until then."""

    def __init__(
        self,
        make_worker: Callable[[], "SpeechWorker"] = _system_worker,
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        self._make_worker = make_worker
        self._clock = clock
        self._orders: queue.SimpleQueue[Callable[[SpeechWorker], None]] = queue.SimpleQueue()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self.voice_name = ""

    def say(self, utterance: Utterance) -> None:
        """Have something said as soon as nothing more urgent is."""
        self._order(lambda worker: worker.queue.put(utterance))

    def withdraw(self, key: str) -> None:
        """What waits under this key is no longer so."""
        self._order(lambda worker: worker.queue.withdraw(key))

    def silence(self) -> None:
        """Be silent at once."""
        self._order(_silence)

    def close(self) -> None:
        """Be silent and end the thread. Closing twice is fine."""
        self._ending.set()
        self._orders.put(_silence)
        if self._thread is not None:
            self._thread.join(_CLOSE_PATIENCE_S)
            self._thread = None

    def _order(self, order: Callable[["SpeechWorker"], None]) -> None:
        self._orders.put(order)
        if self._thread is None and not self._ending.is_set():
            self._thread = threading.Thread(target=self._run, name="speech", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        worker = self._make_worker()
        while not self._ending.is_set():
            self.voice_name = worker.voice_name
            self._take_orders(worker)
            worker.step(self._clock())
        worker.close()

    def _take_orders(self, worker: "SpeechWorker") -> None:
        """Carry out what was ordered; with nothing to say, wait for an order."""
        timeout_s = None if worker.is_idle else _PERIOD_S
        with suppress(queue.Empty):
            self._orders.get(timeout=timeout_s)(worker)
        while not self._orders.empty():
            self._orders.get_nowait()(worker)


def _silence(worker: "SpeechWorker") -> None:
    worker.silence()
