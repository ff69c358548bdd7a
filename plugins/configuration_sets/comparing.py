"""Two sources read off the GUI thread and compared, in the words of the first."""

from concurrent.futures import Executor, Future
from dataclasses import dataclass

from plugins.configuration_sets.sources import CompareSource
from telemetry.configuration.settings.adapting import adapted
from telemetry.configuration.settings.difference import Difference, difference
from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it: `wanted` is b in the words of a. `problem` is a sentence where it could
    not be made."""

    a: CompareSource
    b: CompareSource
    wanted: Snapshot | None = None
    found: Difference | None = None
    problem: str = ""


class Comparing:
    """The comparison under way, if any. Asking again drops the one before."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._future: Future[Comparison] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._future is not None

    def begin(self, a: CompareSource, b: CompareSource) -> None:
        """Start to compare."""
        self._future = self._jobs.submit(_compare, a, b)

    def result(self) -> Comparison | None:
        """The comparison once it is made; None before, and after it was taken."""
        if self._future is None or not self._future.done():
            return None
        future, self._future = self._future, None
        return future.result()


def _compare(a: CompareSource, b: CompareSource) -> Comparison:
    try:
        ours, theirs = a.load(), b.load()
    except SettingsError as error:
        return Comparison(a, b, problem=str(error))
    wanted = adapted(theirs.snapshot, ours.snapshot)
    return Comparison(a, b, wanted, difference(ours.snapshot, wanted))
