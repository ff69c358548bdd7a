"""Table files: what is logged, kept in a file and taken from one, off the window's thread."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from telemetry.base.input_files import read_bytes
from telemetry.base.safe_files import replace_file
from telemetry.configuration.board_logs.log_table_file import (
    SUFFIX,
    LogTable,
    LogTableError,
    read_log_table,
    write_log_table,
)
from telemetry.protocol.objects.xml_tree import LARGEST_BYTES
from widgets.dialogs import ask_for_file, ask_where_to_save

_FILTER = f"What is logged (*{SUFFIX})"
_NAME = f"what-is-logged{SUFFIX}"


class TableFiles:
    """Reads and writes one file at a time. `take` is handed what was read, `tell` a sentence on
    what came of it."""

    def __init__(
        self, jobs: Executor, take: Callable[[LogTable], str], tell: Callable[[str], None]
    ) -> None:
        self._jobs, self._take, self._tell = jobs, take, tell
        self._job: Future[Callable[[], str]] | None = None

    def ask_to_load(self, parent: QWidget) -> None:
        """Let the user choose a file."""
        ask_for_file(parent, "Load what is logged", _FILTER, self.load)

    def ask_to_save(self, parent: QWidget, table: LogTable) -> None:
        """Let the user choose where."""
        save = partial(self.save, table)
        ask_where_to_save(parent, "Save what is logged", _FILTER, SUFFIX, save, _NAME)

    def load(self, path: Path) -> None:
        """Read a file."""

        def read() -> Callable[[], str]:
            return partial(self._take, read_log_table(read_bytes(path, LARGEST_BYTES), path.name))

        self._begin(read, path, "read")

    def save(self, table: LogTable, path: Path) -> None:
        """Write a file."""

        def write() -> Callable[[], str]:
            replace_file(path, write_log_table(table))
            return lambda: f"{path.name} was written."

        self._begin(write, path, "written")

    def poll(self) -> None:
        """See whether it is done."""
        if self._job is not None and self._job.done():
            done, self._job = self._job.result(), None
            self._tell(done())

    def _begin(self, work: Callable[[], Callable[[], str]], path: Path, what: str) -> None:
        self._job = self._jobs.submit(partial(_tried, work, path, what))
        self.poll()


def _tried(work: Callable[[], Callable[[], str]], path: Path, what: str) -> Callable[[], str]:
    try:
        return work()
    except LogTableError as error:
        text = str(error)
    except OSError as error:
        text = f"{path.name} cannot be {what}: {error.strerror or error}."
    return lambda: text
