"""Bank bar: the banks as tabs, linking of roll and pitch, and what is done with a whole bank."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QTabBar, QToolButton, QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.stabilization_banks import (
    bank_title,
    copy_bank,
    positions_of,
    restore_bank,
    swap_banks,
)
from telemetry.vehicle.commands import Ticket
from telemetry.vehicle.vehicle import Vehicle
from widgets.parts import make_row


class BankBar(QWidget):
    """`chosen(bank)` when another tab is shown, `compare_wanted(a, b)` and `said(text)` for the
    status line. `linked` is whether roll and pitch take each other's values."""

    chosen = Signal(str)
    compare_wanted = Signal(str, str)
    linked = Signal(bool)
    said = Signal(str)

    def __init__(self, vehicle: Vehicle, settings: Configuration) -> None:
        super().__init__()
        self._vehicle = vehicle
        self._settings = settings
        self._banks: tuple[str, ...] = ()
        self._load: Ticket | None = None
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("Banks")
        self.tabs.currentChanged.connect(self._on_tab)
        self.link = QCheckBox("Link roll and pitch")
        self.link.setToolTip(
            "What is entered for roll is staged for pitch too, and the other way round."
        )
        self.link.toggled.connect(self.linked)
        self.tools = QToolButton()
        self.tools.setText("Whole bank \N{BLACK DOWN-POINTING SMALL TRIANGLE}")
        self.tools.setToolTip("Copy, swap, compare, reset or restore the bank shown.")
        self.tools.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.tools)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.tools.setMenu(self.menu)
        self.setLayout(make_row((self.tabs, 1), self.link, self.tools))

    @property
    def bank(self) -> str:
        """The bank that shows; empty where there is none."""
        index = self.tabs.currentIndex()
        return self._banks[index] if 0 <= index < len(self._banks) else ""

    def show_bank(self, bank: str) -> None:
        """Go to a bank's tab."""
        if bank in self._banks:
            self.tabs.setCurrentIndex(self._banks.index(bank))

    def show_banks(self, banks: tuple[str, ...]) -> None:
        """Have a tab for each of these."""
        if banks == self._banks:
            return
        before = self.bank
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        self._banks = banks
        for bank in banks:
            self.tabs.addTab(bank_title(bank))
        if before in banks:
            self.tabs.setCurrentIndex(banks.index(before))
        self.tabs.blockSignals(False)
        self.chosen.emit(self.bank)

    def refresh(self) -> None:
        """Say beside each bank which positions use it, and whether it has unsent values."""
        for index, bank in enumerate(self._banks):
            positions = ", ".join(map(str, positions_of(self._settings, bank)))
            text = bank_title(bank) + (f" (position {positions})" if positions else "")
            if self._settings.draft.of((bank, 0)):
                text += " \N{BLACK CIRCLE}"
            if self.tabs.tabText(index) != text:
                self.tabs.setTabText(index, text)
        is_log = self._settings.aircraft.is_log
        self.tools.setEnabled(bool(self._banks))
        self.link.setEnabled(not is_log)
        if self._load is not None and self._load.is_finished:
            self.said.emit(self._load.text)
            self._load = None

    def fill_menu(self) -> None:
        """What can be done with the bank shown, now."""
        menu, bank = self.menu, self.bank
        menu.clear()
        others = [other for other in self._banks if other != bank]
        is_log = self._settings.aircraft.is_log
        for other in others:
            self._add(f"Copy to {bank_title(other)}", partial(self._copy, (other,)), is_log)
        if len(others) > 1:
            self._add("Copy to all banks", partial(self._copy, tuple(others)), is_log)
        menu.addSeparator()
        for other in others:
            self._add(f"Swap with {bank_title(other)}", partial(self._swap, other), is_log)
        menu.addSeparator()
        for other in others:
            self._add(
                f"Compare with {bank_title(other)}",
                partial(self.compare_wanted.emit, bank, other),
            )
        menu.addSeparator()
        is_lost = self._settings.baseline is None
        self._add("Reset to defaults", partial(self._reset, (bank,)), is_log)
        self._add(
            "Back to what was on board at connection", partial(self._restore, (bank,)), is_lost
        )
        if others:
            self._add("Reset all banks to defaults", partial(self._reset, self._banks), is_log)
            self._add(
                "All banks back to what was on board at connection",
                partial(self._restore, self._banks),
                is_lost,
            )
        self._add("Load what is saved on board (sent at once)", self._load_saved, is_log)

    def _add(self, text: str, run: Callable[[], None], is_off: bool = False) -> None:
        action = self.menu.addAction(text)
        action.setEnabled(not is_off)
        action.triggered.connect(lambda checked=False: run())

    def _on_tab(self, index: int) -> None:
        self.chosen.emit(self.bank)

    def _copy(self, targets: tuple[str, ...]) -> None:
        for target in targets:
            copy_bank(self._settings, self.bank, target)
        self.said.emit(
            f"{bank_title(self.bank)} was copied to {_titles(targets)}: press Apply to send it."
        )

    def _swap(self, other: str) -> None:
        swap_banks(self._settings, self.bank, other)
        self.said.emit(
            f"{bank_title(self.bank)} and {bank_title(other)} were swapped: press Apply to send it."
        )

    def _reset(self, banks: tuple[str, ...]) -> None:
        for bank in banks:
            self._settings.stage_defaults(bank)
        self.said.emit(f"Defaults for {_titles(banks)}: press Apply to send them.")

    def _restore(self, banks: tuple[str, ...]) -> None:
        restored = [bank for bank in banks if restore_bank(self._settings, bank)]
        self.said.emit(
            f"{_titles(tuple(restored))} as at connection: press Apply to send what differs."
        )

    def _load_saved(self) -> None:
        self._load = self._vehicle.commands.persist("Load", self.bank)


def _titles(banks: tuple[str, ...]) -> str:
    return " and ".join(map(bank_title, banks))
