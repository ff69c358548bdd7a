"""Studies panel: choose a study, have it flown, see what it finds, and fly one flight again."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QSplitter, QStackedWidget, QWidget

from plugins.api import Json, PanelContext
from plugins.simulator.study_choices import (
    StudyChoice,
    all_choices,
    choice_from_json,
    choice_of_result,
    new_result,
    newest,
)
from plugins.simulator.study_figures_view import StudyFiguresView
from plugins.simulator.study_flights_view import StudyFlightsView
from plugins.simulator.study_follower import StudyFollower
from plugins.simulator.study_process import StudyProcess
from plugins.simulator.study_reading import ReadStudy, ShownColumns
from simulation.studies.report import write_report
from simulation.studies.result_folder import STUDY, open_result
from widgets.choices import fill_choice
from widgets.dialogs import ask_for_file, ask_for_folder, ask_where_to_save
from widgets.elided_choice import ElidedChoice
from widgets.labels import show_text
from widgets.parts import STRETCH, make_button, make_column, make_label, make_scrolled
from widgets.wrapped_row import WrappedRow

_WHAT_IT_IS = (
    "A study flies one scenario many times, with parameters that vary as its file says, and tells "
    "how sure its figures are and what they depend on."
)
_NARROW_PX = 900
"""A panel that is less wide has the figures below the flights."""
_SHARES = (5, 6)
_LEAST_LETTERS = 20


class StudiesPanel(QWidget):
    """The panel "simulator.studies". Flying happens in processes of its own, reading in jobs."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._opened: list[StudyChoice] = []
        self._choices: dict[str, StudyChoice] = {}
        self._run: StudyProcess | None = None
        self._end_telling: Callable[[], None] = lambda: None
        self._follower: StudyFollower | None = None
        self._reporting: tuple[Future[None], Path] | None = None
        self._wanted: ShownColumns | None = None
        self._choice = ElidedChoice()
        self._choice.setAccessibleName("Study or result")
        self._choice.setMinimumContentsLength(_LEAST_LETTERS)
        self._choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._start = make_button("Run", self._start_run, "primary")
        self._stop = make_button("Stop", self._stop_run, tip="What was flown is kept.")
        tip = "Write what was found on a page, for people without Lapwing."
        self._report = make_button("Report …", self._ask_for_report, tip=tip)
        self._told, self._counts = make_label(wraps=True), make_label(tone="muted", wraps=True)
        self._about = make_label(wraps=True)
        self._flights = StudyFlightsView(context)
        self._figures = StudyFiguresView(context.theme)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._pages = QStackedWidget()
        self._lay_out()
        self._choice.activated.connect(lambda _row: self._choose())
        context.on_close(self._close)
        self._list_choices(None)

    def refresh(self, t: float) -> None:
        """Take over what jobs and processes have done, and have the next things done."""
        self._look_at_run()
        self._look_at_report()
        self._flights.poll()
        if self._follower is not None and not self._is_starting(self._follower.path):
            self._follow(self._follower)

    def save_state(self) -> Json:
        """What is chosen, and what was opened."""
        chosen, columns = self._chosen, self._wanted or self._figures.chosen
        return {
            "chosen": chosen.to_json() if chosen is not None else None,
            "opened": [one.to_json() for one in self._opened],
            "columns": [columns.column, columns.against],
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        opened, columns = state.get("opened"), state.get("columns")
        listed = opened if isinstance(opened, list) else []
        self._opened = [one for one in map(choice_from_json, listed) if one is not None]
        if isinstance(columns, list) and [type(one) for one in columns] == [str, str]:
            self._wanted = ShownColumns(*columns)
        self._list_choices(choice_from_json(state.get("chosen")))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_PX
        wanted = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._splitter.orientation() != wanted:
            self._splitter.setOrientation(wanted)
            self._share_room()

    # Choosing ---------------------------------------------------------------------------

    @property
    def _chosen(self) -> StudyChoice | None:
        return self._choices.get(self._choice.currentData())

    def _list_choices(self, chosen: StudyChoice | None) -> None:
        begun = self._run.folder if self._run is not None else None
        self._choices = {one.key: one for one in all_choices(self._opened, begun)}
        titles = [(one.title, key) for key, one in self._choices.items()]
        fill_choice(self._choice, titles, chosen.key if chosen is not None else None)
        self._choose()

    def _open(self, choice: StudyChoice) -> None:
        self._opened = newest(self._opened, choice)
        self._list_choices(choice)

    def _choose(self) -> None:
        """Show what is chosen: of a study what it is about, of a result what is in it."""
        chosen = self._chosen
        result = chosen.result if chosen is not None else None
        if result != (self._follower.path if self._follower is not None else None):
            self._follower = StudyFollower(result, self._context.jobs) if result else None
            self._flights.show_study(None, result or Path())
            self._figures.show_figures(None)
            show_text(self._counts, "Reading …" if result else "")
            show_text(self._told, "", "")
        about = chosen.about if chosen is not None and result is None else ""
        self._about.setText(f"{about}\n\n{_WHAT_IT_IS}" if about else _WHAT_IT_IS)
        self._pages.setCurrentIndex(0 if result is None else 1)
        self._offer()

    def _offer(self) -> None:
        """Enable what makes sense now; the keyboard stays with the button that is pressed next."""
        is_flying, follower = self._run is not None, self._follower
        pressed_next, before = (self._stop, self._start)[:: 1 if is_flying else -1]
        pressed_next.setEnabled(self._chosen is not None)
        if before.hasFocus():
            pressed_next.setFocus()
        before.setEnabled(False)
        has_flights = follower is not None and follower.read and len(follower.read.table)
        self._report.setEnabled(bool(has_flights) and self._reporting is None)

    # What was found ---------------------------------------------------------------------

    def _follow(self, follower: StudyFollower) -> None:
        try:
            read = follower.poll()
        except (ValueError, OSError) as error:
            show_text(self._counts, "")
            show_text(self._told, str(error), "danger")
            return
        if read is not None:
            self._show_read(read, follower.path)
        figures = follower.poll_figures(self._figures.chosen)
        if figures is not None:
            self._figures.show_figures(figures)

    def _show_read(self, read: ReadStudy, folder: Path) -> None:
        if self._run is not None and self._run.folder == folder:
            self._run.planned = read.planned
        self._flights.show_study(read, folder)
        self._figures.offer(read, self._wanted)
        self._wanted = None
        show_text(self._counts, read.words)
        self._offer()

    def _ask_for_report(self) -> None:
        if self._follower is not None:
            folder = self._follower.path
            save = partial(self._write_report, folder)
            ask_where_to_save(
                self, "Report of a study", "Pages (*.html)", ".html", save, f"{folder.name}.html"
            )

    def _write_report(self, folder: Path, out: Path) -> None:
        done = self._context.jobs.submit(lambda: write_report(open_result(folder), out))
        self._reporting = done, out
        self._offer()

    def _look_at_report(self) -> None:
        if self._reporting is None or not self._reporting[0].done():
            return
        (done, out), self._reporting = self._reporting, None
        error = done.exception()
        if isinstance(error, OSError):
            show_text(self._told, f"{out} cannot be written: {error.strerror}.", "danger")
        elif error is not None:
            show_text(self._told, str(error), "danger")
        else:
            self._context.show_message(f"The report is in {out}.")
        self._offer()

    # Flying -----------------------------------------------------------------------------

    def _start_run(self) -> None:
        chosen = self._chosen
        if chosen is None or self._run is not None:
            return
        folder = chosen.result or new_result(chosen)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            self._run = run = StudyProcess(chosen.source, chosen.name, folder)
        except OSError as error:
            show_text(self._told, f"The study cannot be started: {error.strerror}.", "danger")
            return
        self._end_telling = self._context.follow(run.words, run.ask_to_end)
        if chosen.result is None:
            self._opened = newest(self._opened, StudyChoice(chosen.source, folder))
            self._list_choices(self._opened[0])
        elif self._follower is not None and self._follower.read is not None:
            run.planned = self._follower.read.planned
        self._offer()
        self._look_at_run()

    def _is_starting(self, folder: Path) -> bool:
        """Whether the program that flies into a folder has not begun it yet."""
        is_own = self._run is not None and self._run.folder == folder
        return is_own and not (folder / STUDY).exists()

    def _stop_run(self) -> None:
        if self._run is not None:
            self._run.ask_to_end()

    def _look_at_run(self) -> None:
        run = self._run
        if run is None:
            return
        ended = run.poll()
        if ended is None:
            show_text(self._told, run.words(), "")
            return
        self._end_run()
        chosen = self._chosen
        if chosen is not None and chosen.result == run.folder and not (run.folder / STUDY).exists():
            chosen = StudyChoice(chosen.source)  # it was refused before anything was begun
        self._list_choices(chosen)
        show_text(self._told, *ended)

    def _end_run(self) -> None:
        self._end_telling()
        if self._run is not None:
            self._run.close()
        self._run, self._end_telling = None, lambda: None

    def _close(self) -> None:
        self._end_run()
        self._flights.end()

    # How it is arranged -----------------------------------------------------------------

    def _lay_out(self) -> None:
        menu = QMenu(self)
        menu.addAction("Study …", self._ask_for_study)
        menu.addAction("Result folder …", self._ask_for_result)
        opening = make_button("Open", lambda: None, tip="A study's file, or what a study has left.")
        opening.setMenu(menu)
        row = WrappedRow(self._choice, opening, self._start, self._stop, self._report)
        self._splitter.addWidget(self._flights)
        self._splitter.addWidget(make_scrolled(self._figures, keeps_width=True))
        self._splitter.setChildrenCollapsible(False)
        self._share_room()
        about = QWidget()
        about.setLayout(make_column(self._about, STRETCH))
        self._pages.addWidget(about)
        self._pages.addWidget(self._splitter)
        parts = (row, self._told, self._counts, (self._pages, 1))
        self.setLayout(make_column(*parts, margins=8, spacing=4))

    def _share_room(self) -> None:
        is_across = self._splitter.orientation() == Qt.Orientation.Horizontal
        room = max(self.width() if is_across else self.height(), 600)
        self._splitter.setSizes([room * share // sum(_SHARES) for share in _SHARES])

    def _ask_for_study(self) -> None:
        def take(path: Path) -> None:
            self._open(StudyChoice(str(path.absolute())))

        ask_for_file(self, "Study", "Studies (*.toml)", take)

    def _ask_for_result(self) -> None:
        def take(path: Path) -> None:
            self._open(choice_of_result(path.absolute()))

        ask_for_folder(self, "Folder that a study has left", take)
