"""Comparison of two sources, read off the GUI thread, in the words of the first."""

from concurrent.futures import Executor, Future
from dataclasses import dataclass

from plugins.configuration_sets.sources import BOARD, CompareSource
from telemetry.configuration.settings.difference import Difference, difference
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.ownership import bound_to_board, told_of_another
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.snapshot import Address, Snapshot


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it: `wanted` is b in the words of a. `problem` is a sentence where it could
    not be made."""

    a: CompareSource
    b: CompareSource
    ours: SettingsDocument | None = None
    theirs: SettingsDocument | None = None
    wanted: Snapshot | None = None
    found: Difference | None = None
    problem: str = ""

    @property
    def serial(self) -> str | None:
        """The serial number of the board that was compared; None if it was not."""
        sides = ((self.a, self.ours), (self.b, self.theirs))
        boards = (document for side, document in sides if side.key == BOARD)
        board = next(boards, None)
        return board.identity.serial if board is not None else None

    @property
    def told_of_another(self) -> str:
        """A sentence that b are the settings of another aircraft than a, or may be; "" if not."""
        ours, theirs = self.ours, self.theirs
        if ours is None or theirs is None:
            return ""
        return told_of_another(theirs, ours.identity)

    def bound(self) -> dict[tuple[Address, str], str]:
        """What differs and belongs to the other aircraft only, with what it is."""
        changed = self.found.changed if self.found is not None and self.told_of_another else ()
        what = {((c.name, c.instance), c.path): bound_to_board(c.name, c.path) for c in changed}
        return {key: words for key, words in what.items() if words}


class Comparing:
    """The comparison under way, if any. Asking again drops the one before."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._future: Future[Comparison] | None = None

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
    return Comparison(a, b, ours, theirs, wanted, difference(ours.snapshot, wanted))
