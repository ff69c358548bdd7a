"""Stabilization page: banks, what they share, live tuning and the step test."""

from collections.abc import Iterator

from PySide6.QtWidgets import QVBoxLayout, QWidget

from plugins.api import PageContext
from plugins.stabilization.bank_bar import BankBar
from plugins.stabilization.bank_view import BankView
from plugins.stabilization.compare_view import BankCompareView
from plugins.stabilization.position_bar import PositionBar
from plugins.stabilization.shared_view import SharedView
from plugins.stabilization.step_view import StepTestView
from plugins.stabilization.tuning_view import TuningView
from telemetry.configuration.settings.stabilization_banks import SHARED, banks_of, is_even
from widgets.collapsible import CollapsibleGroup
from widgets.labels import show_text
from widgets.parts import PAGE_MARGINS, STRETCH, make_column, make_heading, make_label
from widgets.settings.form import reveal


class StabilizationPage(QWidget):
    """One view per bank, made when first shown; below them what all banks share."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings, vehicle = context.configuration, context.vehicle
        self._context = context
        self._settings = settings
        self.views: dict[str, BankView] = {}
        self._definitions: tuple[object, ...] = ()
        self.positions = PositionBar(settings)
        self.bar = BankBar(vehicle, settings)
        self.compare = BankCompareView(settings)
        self._gains, self._banks = _Stack(), _Stack()
        self._shown: BankView | None = None
        self.shared = SharedView(settings)
        self.tuning = TuningView(context, vehicle, settings)
        self.tuning_fold = CollapsibleGroup("Live tuning", self.tuning, is_open=False)
        self.steps = StepTestView(context, vehicle, settings)
        self.steps_fold = CollapsibleGroup("Step test in the simulator", self.steps, is_open=False)
        self.notice = make_label(tone="muted", wraps=True)
        self._shared_title = make_heading("For all banks")
        column = make_column(
            self.notice,
            self.positions,
            self.bar,
            self.compare,
            self._gains,
            self.tuning_fold,
            self.steps_fold,
            self._banks,
            self._shared_title,
            self.shared,
            STRETCH,
            margins=PAGE_MARGINS,
            spacing=4,
        )
        self.setLayout(column)
        self.bar.chosen.connect(self._show_bank)
        self.bar.linked.connect(self._link)
        self.bar.compare_wanted.connect(self.compare.show_banks)
        self.bar.said.connect(context.show_message)
        self.tuning.said.connect(context.show_message)

    def build(self) -> Iterator[None]:
        """The parts one by one."""
        self._follow_board()
        yield
        sections = self._shown.sections if self._shown is not None else ()
        for part in (*sections, self.positions, self.bar, self.compare, self.steps, self.shared):
            part.refresh()
            yield

    def refresh(self, t: float) -> None:
        """Follow what the aircraft has and what is staged."""
        self._follow_board()
        self.positions.refresh()
        self.bar.refresh()
        self.compare.refresh()
        view = self.views.get(self.bar.bank)
        if view is not None:
            view.refresh()
        self.tuning.refresh(t)
        self.tuning_fold.set_note(self.tuning.warning)
        self.steps.refresh()
        self.shared.refresh()
        self._shared_title.setVisible(bool(self.shared.sections))

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view and focus it."""
        self.refresh(0.0)
        if name in banks_of(self._settings):
            self.bar.show_bank(name)
            view = self.views.get(name)
            if view is not None and view.show_setting(path):
                return
        if name == SHARED and path in self.positions.editors:
            reveal(self.positions.editors[path])
            return
        self.shared.show_setting(name, path)

    # Inside

    def _follow_board(self) -> None:
        banks = banks_of(self._settings)
        definitions = tuple(self._settings.definition(bank) for bank in banks)
        if definitions == self._definitions:
            self._say_missing(banks)
            return
        self._definitions = definitions
        self._gains.clear()
        self._banks.clear()
        self.views.clear()
        self._shown = None
        self.bar.show_banks(banks)
        self._show_bank(self.bar.bank)
        self._say_missing(banks)

    def _say_missing(self, banks: tuple[str, ...]) -> None:
        text = "" if banks else self._why_nothing()
        show_text(self.notice, text)
        for part in (self._gains, self._banks, self.tuning_fold, self.steps_fold):
            part.setVisible(bool(banks))

    def _why_nothing(self) -> str:
        aircraft = self._settings.aircraft
        if aircraft.is_log:
            return "Up to here the log has no stabilization settings. Go on in it."
        if not aircraft.is_complete:
            return "Stabilization settings have not been received yet."
        return "This aircraft has no stabilization settings that this page knows."

    def _show_bank(self, bank: str) -> None:
        if not bank:
            return
        if bank not in self.views:
            view = self.views[bank] = BankView(self._settings, bank, self._context.theme)
            view.set_linked(self.bar.link.isChecked())
        view = self.views[bank]
        if self._shown is not None:
            view.fold_like(self._shown)
        self._shown = view
        self._gains.show_only(view.gains)
        self._banks.show_only(view)
        self.tuning.show_bank(bank)
        self.steps.show_bank(bank)

    def _link(self, is_linked: bool) -> None:
        for view in self.views.values():
            view.set_linked(is_linked)
        if is_linked and self.bar.bank and not is_even(self._settings, self.bar.bank):
            self._context.show_message(
                "Roll and pitch differ now; each value entered from here on is for both."
            )


class _Stack(QWidget):
    """Shows one of its widgets, and is as high as that one."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._widgets: list[QWidget] = []

    def show_only(self, widget: QWidget) -> None:
        """Show this one, taken in if it is new."""
        if widget not in self._widgets:
            self._widgets.append(widget)
            self._column.addWidget(widget)
        for other in self._widgets:
            other.setVisible(other is widget)

    def clear(self) -> None:
        """Let all of them go."""
        for widget in self._widgets:
            self._column.removeWidget(widget)
            widget.deleteLater()
        self._widgets.clear()
