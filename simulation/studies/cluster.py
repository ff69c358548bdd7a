"""Cluster workers: the processes of a Dask cluster that somebody has started.

Only data travels, and the name of a user's function: Lapwing, and the module of such a function,
have to be installed on scheduler and workers in the version that is installed here.
"""

import logging
from collections.abc import Mapping
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Any, Final

from simulation.studies.distribution import StudyError
from simulation.studies.flight import Flown
from simulation.studies.flying import FlightBlock, fly_block
from simulation.studies.installed import installed_versions
from simulation.studies.result_folder import difference_from
from simulation.studies.workers import Taken
from telemetry.base.clock import monotonic_s

_CONNECT_S: Final = 10.0
_CLOSE_S: Final = 2.0
_ASK_EVERY_S: Final = 1.0
_LOGGERS: Final = ("distributed.client", "distributed.core", "tornado.application")


def fly_block_as(block: FlightBlock, versions: Mapping[str, str]) -> list[Flown]:
    """What a worker does: fly a block if it would fly it as the versions say. Raises StudyError."""
    different = _difference(block.text, block.folder, tuple(versions.items()))
    if different:
        raise StudyError(f"A worker of the cluster has {different}. Install the same on it.")
    return fly_block(block)


@lru_cache(maxsize=2)
def _difference(text: str, folder: str, versions: tuple[tuple[str, str], ...]) -> str:
    return difference_from(dict(versions), installed_versions(text, folder))


class ClusterWorkers:
    """The workers at a scheduler's address. While the scheduler cannot be reached it is waited for;
    what was under way comes back without a result."""

    def __init__(
        self, address: str, versions: Mapping[str, str], connect_s: float = _CONNECT_S
    ) -> None:
        """Raises StudyError if there is no scheduler at that address."""
        self._address = address
        self._connect_s = connect_s
        self._versions = dict(versions)
        self._client = self._connected()
        self._came: SimpleQueue[tuple[FlightBlock, Any]] = SimpleQueue()
        self._seen: set[str] = set()
        self._deaths = 0
        self._futures: set[Any] = set()
        self._known_threads: Mapping[str, int] = {}
        self._ask_at_s = 0.0

    @property
    def count(self) -> int:
        """How many blocks its workers fly at a time."""
        return max(1, sum(self._threads().values()))

    @property
    def deaths(self) -> int:
        """How many workers have gone."""
        return self._deaths

    @property
    def trouble(self) -> str:
        """That the scheduler is away, or has no workers."""
        if self._client.status != "running":
            return (
                f"The scheduler at {self._address} does not answer: waited for. Ctrl+C ends the "
                "wait; without --cluster the study goes on here."
            )
        if not self._threads():
            return (
                f"No worker at {self._address}: waited for. `dask worker {self._address} "
                "--nworkers auto --nthreads 1` starts some."
            )
        return ""

    def check(self, text: str, folder: str) -> None:
        """Refuse workers that would not fly the same. Raises StudyError, with the differences."""
        answers = self._client.run(installed_versions, text, folder, on_error="return")
        answers["the scheduler"] = self._of_scheduler(text, folder)
        wrong = [
            f"{worker}: {different}"
            for worker, answer in sorted(answers.items())
            if (different := self._what_differs(answer))
        ]
        if wrong:
            raise StudyError(
                f"The cluster differs from this computer: {'; '.join(wrong)}. Install the same "
                "there."
            )

    def submit(self, block: FlightBlock) -> None:
        """Have a block flown."""
        future = self._client.submit(fly_block_as, block, self._versions, pure=False)
        self._futures.add(future)  # what nobody holds is called off
        future.add_done_callback(lambda done: self._came.put((block, done)))

    def take(self, longest_s: float) -> list[Taken]:
        """What has come back."""
        self._count_deaths()
        if self._client.status == "closed":
            self._client = self._connected_again()
        taken = []
        try:
            block, future = self._came.get(timeout=longest_s)
            while True:
                self._futures.discard(future)
                taken.append(_taken(block, future))
                block, future = self._came.get_nowait()
        except Empty:
            return taken

    def close(self) -> None:
        """Leave the cluster; the workers stay."""
        for future in self._futures:
            future.cancel(force=True)
        self._client.close(timeout=_CLOSE_S)

    def _of_scheduler(self, text: str, folder: str) -> object:
        """It reads what travels, too."""
        try:
            return self._client.run_on_scheduler(installed_versions, text, folder)
        except Exception as error:  # noqa: BLE001 - whatever the other side lacks: reported
            return error

    def _what_differs(self, answer: object) -> str:
        if isinstance(answer, dict):
            return difference_from(self._versions, answer)
        return f"{type(answer).__name__}: {answer}"

    def _threads(self) -> Mapping[str, int]:
        """Of each worker; asked for once a second, since the scheduler has better to do."""
        if self._client.status != "running":
            return {}
        now_s = monotonic_s()
        if now_s >= self._ask_at_s:
            self._known_threads = self._client.nthreads()
            self._ask_at_s = now_s + _ASK_EVERY_S
        return self._known_threads

    def _count_deaths(self) -> None:
        if self._client.status == "running":
            now = set(self._threads())
            self._deaths += len(self._seen - now)
            self._seen = now

    def _connected(self) -> Any:
        try:
            from distributed import Client, Security

        except ModuleNotFoundError as error:
            raise StudyError(
                f"A cluster takes {error.name}, which is not installed: pip install "
                "'lapwing[studies]'."
            ) from None
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # `trouble` says it in a sentence
        security = Security()  # by the user's settings of Dask
        is_known = security.get_connection_args("client").get("ssl_context") is not None
        if self._address.startswith("tls:") and not is_known:
            raise StudyError(
                "TLS takes certificates: name them by DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
                "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and …__CLIENT__KEY."
            )
        try:
            return Client(self._address, timeout=self._connect_s, set_as_default=False)
        except (OSError, ValueError) as error:
            raise StudyError(
                f"There is no Dask scheduler at {self._address} ({error}). `dask scheduler --host "
                "127.0.0.1` starts one."
            ) from None

    def _connected_again(self) -> Any:
        try:
            return self._connected()
        except StudyError:
            return self._client  # which is asked for again


def _taken(block: FlightBlock, future: Any) -> Taken:
    from distributed.scheduler import KilledWorker

    if future.status == "finished":
        return Taken(block, future.result())
    if future.status == "error":
        error = future.exception()
        if isinstance(error, RuntimeError) and not isinstance(error, KilledWorker):
            what = str(error).strip().partition("\n")[0]
            raise StudyError(f"The cluster cannot fly it: {what}") from None
        if not isinstance(error, KilledWorker):
            raise error
        return Taken(block, None, died=True)
    return Taken(block, None)
