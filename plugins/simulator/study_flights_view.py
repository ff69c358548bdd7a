"""Study flights in the window: the table, and one flight again or its log."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.simulator.study_model import StudyModel, StudyTableView
from plugins.simulator.study_process import FlightProcess
from plugins.simulator.study_reading import ReadStudy
from simulation.studies.result_folder import KEPT
from widgets.labels import show_text
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row


class StudyFlightsView(QWidget):
    """Failures first. A double click flies a flight again, in a process of its own."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._folder = Path()
        self._can_fly = False
        self._again: FlightProcess | None = None
        self._is_flying = False
        self._table = StudyTableView(StudyModel(context.theme))
        tip = "Fly the chosen flight once more, with its telemetry, and open that."
        self._fly = make_button("Fly again", self._fly_again, tip=tip)
        tip = "Open the log that the study has kept of the chosen flight."
        self._open = make_button("Open log", self._open_kept, tip=tip)
        self._told = make_label(wraps=True)
        buttons = make_row(self._fly, self._open, STRETCH)
        self.setLayout(make_column((self._table, 1), buttons, self._told, spacing=4))
        self._table.selectionModel().selectionChanged.connect(lambda *_changed: self._offer())
        self._table.doubleClicked.connect(lambda _index: self._fly_again())
        self.show_study(None, Path())

    def show_study(self, read: ReadStudy | None, folder: Path) -> None:
        """Show what was read in a folder, None for nothing."""
        if folder != self._folder:
            show_text(self._told, "", "")
        self._folder = folder
        self._can_fly = read is not None and not read.study.function
        self._table.put(read)
        self._offer()

    def poll(self) -> None:
        """See whether the flight has come to its end, and open it."""
        if self._again is None or not self._is_flying:
            return
        ended = self._again.poll()
        if ended is None:
            return
        self._is_flying = False
        show_text(self._told, *ended)
        if self._again.recording.exists():
            self._context.open_log(self._again.recording)
        self._offer()

    def end(self) -> None:
        """End a flight, and drop its log. Ending twice is fine."""
        if self._again is not None:
            self._again.close()
        self._again, self._is_flying = None, False

    def _offer(self) -> None:
        has_choice = self._table.chosen is not None
        self._fly.setEnabled(has_choice and self._can_fly and not self._is_flying)
        self._open.setEnabled(self._kept_log is not None)

    @property
    def _kept_log(self) -> Path | None:
        flight = self._table.chosen
        log = self._folder / KEPT / f"{flight}.opl"
        return log if flight is not None and log.is_file() else None

    def _open_kept(self) -> None:
        if (log := self._kept_log) is not None:
            self._context.open_log(log)

    def _fly_again(self) -> None:
        flight = self._table.chosen
        if flight is None or not self._fly.isEnabled():
            return
        self.end()
        try:
            self._again = FlightProcess(self._folder, flight)
        except OSError as error:
            show_text(self._told, f"The flight cannot be flown: {error.strerror}.", "danger")
            return
        self._is_flying = True
        show_text(self._told, f"Flying flight {flight} again …", "")
        self._offer()
