"""Plot saving: as an image, or its samples as a table."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from widgets.plot.export import Column, write_csv

Tell = Callable[[str], None]


class PlotSaving:
    """Writes what `plot` shows; tables are written off the GUI thread."""

    def __init__(self, plot: QWidget, jobs: Executor, tell: Tell) -> None:
        self._plot = plot
        self._jobs = jobs
        self._tell = tell
        self._export: Future[int] | None = None

    def copy_image(self) -> None:
        """Put a picture on the clipboard."""
        QGuiApplication.clipboard().setPixmap(self._plot.grab())
        self._tell("Plot copied as an image.")

    def save_image(self, path: Path) -> None:
        """Save a picture."""
        saved = self._plot.grab().save(str(path), "PNG")
        name = path.name
        self._tell(f"Image saved as {name}." if saved else f"{name} could not be written.")

    def save_csv(self, path: Path, columns: list[Column]) -> None:
        """Write samples as a table."""
        self._export = self._jobs.submit(write_csv, path, columns)

    def take_outcome(self) -> None:
        """Tell what came of a table, once it is known."""
        export = self._export
        if export is None or not export.done():
            return
        self._export = None
        try:
            self._tell(f"Exported {export.result()} rows.")
        except OSError as error:
            self._tell(f"Not exported: {error}. Choose another place.")
