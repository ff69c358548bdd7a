"""Flights view: the flights on board, downloaded, opened and erased."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QProgressBar, QWidget

from plugins.api import Undo, VehicleContext
from plugins.board_logs.board_flights import BoardFlights, Known, board_flights_of
from plugins.board_logs.choice_table import ChoiceTable
from plugins.board_logs.flight_model import WIDEST, FlightModel
from telemetry.configuration.board_logs.board_flight import flights_text
from telemetry.configuration.board_logs.logged_objects import (
    LOG_STATUS,
    has_entry_log,
    has_file_log,
    slots_on_board,
)
from telemetry.configuration.settings.configuration import Configuration
from widgets.choices import make_check
from widgets.fitted_text import FittedText
from widgets.hold_button import HoldButton
from widgets.kept_focus import enable
from widgets.labels import set_look, set_text
from widgets.parts import make_button, make_column
from widgets.theme import Theme
from widgets.wrapped_row import WrappedRow

_ERASE_S = 3.0
_SAID_LINES = 2
"""Of what came of something; a longer one is whole in its tool tip."""
_PARTS = 1000
_NO_LOG = (
    "This board keeps no log of its own. Boards with flash for one say so once they are connected."
)
_NO_FLASH = "The board tells of no flash for a log of its own."
_NO_FLIGHTS = "No flights were found."
_NOT_LOOKED = "Look for flights to see which there are."
_GIVE_UP = "Give up what is not downloaded"
_IN_LOG = "This is a flight of the past: connect to the aircraft to see what is on its board."


class FlightsView(QWidget):
    """The part *Flights on board*."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._end_telling: Undo = lambda: None
        self.state = FittedText()
        self.model = FlightModel(context.theme)
        self.table = ChoiceTable(self.model, "Flights on board", WIDEST)
        self.look = make_button("Look for flights", self._look)
        tip = "Download the chosen flights; one by itself is opened at once."
        self.download = make_button("Download and open", self._download_chosen, "primary", tip)
        self.download_all = make_button("Download all", self._download_all)
        self.cancel = make_button("Cancel", self._cancel, tip="What was fetched is kept.")
        self.progress = QProgressBar()
        self.progress.setRange(0, _PARTS)
        self.progress.setTextVisible(False)
        self.said = FittedText()
        self.erase = HoldButton("Erase all flights (hold)", "danger", _ERASE_S)
        self.erase.held.connect(self._erase)
        self.give_up = make_check(_GIVE_UP, lambda _is_on: self._offer())
        self.why_not = FittedText()
        self._given_up: tuple[int, ...] = ()
        self._lay_out()

    @property
    def _settings(self) -> Configuration:
        return self._context.configuration

    @property
    def _has_log(self) -> bool:
        return has_entry_log(self._settings) or has_file_log(self._settings)

    @property
    def _lacks_flash(self) -> bool:
        """Whether it says of itself that it has no room at all."""
        return self._settings.has(LOG_STATUS) and slots_on_board(self._settings) is None

    @property
    def flights(self) -> BoardFlights:
        """What is known of the aircraft shown."""
        return board_flights_of(self._context.vehicle)

    @property
    def _chosen(self) -> tuple[int, ...]:
        return tuple(one.number for one in self.table.chosen)

    def refresh(self) -> None:
        """Follow the board and what is done with it."""
        self.flights.poll()
        self.model.update_rows(self.flights.rows, lambda one: one.number)
        set_text(self.state, self._state_text())
        self._show_progress()
        self._offer()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.model.apply_theme(theme)
        self.table.fit_columns(theme)
        self.said.keep_lines(_SAID_LINES, theme)
        for text in (self.state, self.why_not):
            text.keep_lines(1, theme)

    def _lay_out(self) -> None:
        set_look(self.why_not, "tone", "muted")
        self.table.selectionModel().selectionChanged.connect(lambda _is, _was: self._offer())
        buttons = WrappedRow(self.look, self.download, self.download_all, self.cancel)
        erase = WrappedRow(self.erase, self.give_up, spacing=8)
        parts = (self.state, (self.table, 1), buttons, self.progress, self.said, erase)
        self.setLayout(make_column(*parts, self.why_not, margins=(0, 8, 0, 0), spacing=6))

    # What shows -------------------------------------------------------------------------

    def _state_text(self) -> str:
        settings, known = self._settings, self.flights.known
        if settings.aircraft.is_log:
            return _IN_LOG
        if not self._has_log:
            return _NO_LOG if settings.aircraft.is_complete else "Not received yet."
        if self._lacks_flash:
            return _NO_FLASH
        slots = slots_on_board(settings)
        space = f"{slots[0]:,} of {sum(slots):,} entries are used." if slots else ""
        if known.flights:
            return space
        is_empty = known.flights is not None and not (slots and slots[0])
        return f"{space} {_NO_FLIGHTS if is_empty else _NOT_LOOKED}".strip()

    def _show_progress(self) -> None:
        flights, progress = self.flights, self.flights.progress
        share = progress.done / progress.total if progress.total else 0.0
        self.progress.setValue(round(_PARTS * share))
        tone = "danger" if flights.known.has_failed else ""
        set_text(self.said, flights.words() or flights.known.said, tone)

    def _offer(self) -> None:
        flights, why_not = self.flights, self._why_not()
        known, is_idle = flights.known, not flights.is_busy and not why_not
        enable(self.look, is_idle, self.table)
        is_here = all(number in known.files for number in self._chosen)
        can_open = is_idle or (is_here and not flights.is_busy)
        enable(self.download, can_open and bool(self._chosen), self.table)
        enable(self.download_all, is_idle and bool(known.flights), self.table)
        enable(self.cancel, flights.is_busy, self.table)
        self._offer_erase(known, why_not)

    def _offer_erase(self, known: Known, why_not: str) -> None:
        if known.missing != self._given_up:
            self._given_up = known.missing
            self.give_up.setChecked(False)
        self.give_up.setEnabled(bool(known.missing) and not why_not)
        reason = why_not or self._why_not_erased(known)
        lost = f": {flights_text(known.missing)} will be lost" if known.missing else ""
        set_text(self.why_not, reason or f"This erases all of the flash{lost}.")
        enable(self.erase, not reason, self.table)

    def _why_not(self) -> str:
        """Why the board cannot be asked now."""
        if self.flights.is_busy:
            return "It is under way."
        has_any = self._has_log and not self._lacks_flash
        return self._settings.refusal or ("" if has_any else "There is nothing to erase.")

    def _why_not_erased(self, known: Known) -> str:
        if known.flights is None:
            return "Look for flights first: nothing is erased unseen."
        if known.missing and not self.give_up.isChecked():
            which = flights_text(known.missing)
            return f"Not everything was downloaded of {which}. Download it, or give it up."
        if self._settings.aircraft.is_armed:
            return "Disarm first: the board erases its log only while it is disarmed."
        return ""

    # What is done -----------------------------------------------------------------------

    def _look(self) -> None:
        self._follow()
        self.flights.look(self._context.jobs)
        self.refresh()

    def _download_chosen(self) -> None:
        chosen, known = self._chosen, self.flights.known
        if self._why_not() and len(chosen) == 1 and chosen[0] in known.files:
            self._open(self.flights, chosen[0])
        elif len(chosen) == 1:
            self._download(chosen, partial(self._open, self.flights, chosen[0]))
        else:
            self._download(chosen)

    def _download_all(self) -> None:
        self._download(tuple(one.number for one in self.flights.known.flights or ()))

    def _download(self, numbers: tuple[int, ...], done: Callable[[], None] = lambda: None) -> None:
        self._follow()
        self.flights.download(self._context.jobs, numbers, done)
        self.refresh()

    def _open(self, flights: BoardFlights, number: int) -> None:
        self._context.open_log(flights.known.files[number])

    def _erase(self) -> None:
        self._follow()
        self.flights.erase(self._context.jobs, self._given_up)
        self.refresh()

    def _cancel(self) -> None:
        self.flights.stop()

    def _follow(self) -> None:
        """Have it told wherever the user is: it goes on when this view is closed."""
        flights = self.flights
        self._end_telling()
        self._end_telling = self._context.follow(flights.words, flights.stop)
