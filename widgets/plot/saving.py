"""Plot saving: as an image, or its samples as a table."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from widgets.dialogs import ask_where_to_save
from widgets.plot.export import write_csv
from widgets.plot.model import PlotModel

Tell = Callable[[str], None]


class PlotSaving:
    """Writes what `plot` shows of `model`; tables are written off the GUI thread."""

    def __init__(self, plot: QWidget, model: PlotModel, jobs: Executor, tell: Tell) -> None:
        self._plot = plot
        self._model = model
        self._jobs = jobs
        self._tell = tell
        self._export: Future[int] | None = None

    def copy_image(self) -> None:
        """Put a picture on the clipboard."""
        QGuiApplication.clipboard().setPixmap(self._plot.grab())
        self._tell("Plot copied as an image.")

    def ask_image(self) -> None:
        """Ask for a file and save a picture."""
        title, filters = "Save image", "PNG image (*.png)"
        ask_where_to_save(self._plot, title, filters, ".png", self.save_image, "plot.png")

    def save_image(self, path: Path) -> None:
        """Save a picture."""
        saved = self._plot.grab().save(str(path), "PNG")
        name = path.name
        self._tell(f"Image saved as {name}." if saved else f"{name} could not be written.")

    def ask_csv(self) -> None:
        """Ask for a file and write the samples in sight."""
        title, filters = "Export visible samples", "Table (*.csv)"
        ask_where_to_save(self._plot, title, filters, ".csv", self.save_csv, "plot.csv")

    def save_csv(self, path: Path) -> None:
        """Write the samples in sight as a table."""
        span = self._model.span
        if span is not None:
            shown = [curve for curve in self._model.curves if curve.is_shown]
            columns = [(curve.path, *curve.recorded(span)) for curve in shown]
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
