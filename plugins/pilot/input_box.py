"""Input box: the box in which a pilot chooses what to fly by hand with."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox

from plugins.api import Json
from plugins.pilot.devices.profile import MODES
from plugins.pilot.screen_sticks import USUAL_MODE
from telemetry.flying.transmitter.order import Source
from widgets.elided_choice import ElidedChoice

SOURCES: tuple[tuple[Source, str, str], ...] = (
    ("either", "Keys and on-screen sticks", "Keys, sticks"),
    ("screen", "On-screen sticks", "Sticks"),
    ("keyboard", "Keyboard", "Keys"),
    ("gamepad", "Controller", "Device"),
)
"""Each with what it is called where there is little width."""
_MODE: Final = Qt.ItemDataRole.UserRole + 1
_TITLE, _SHORT = Qt.ItemDataRole.UserRole + 2, Qt.ItemDataRole.UserRole + 3


class InputBox(ElidedChoice):
    """Emits `chosen` when another one was."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Input for flying by hand")
        self.setToolTip("Devices are set up in the panel Controllers (Add panel).")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for source, title, short in SOURCES:
            self._add(source, title, short)
        for mode in MODES:
            if mode != USUAL_MODE:
                self._add("screen", f"On-screen sticks, mode {mode}", f"Mode {mode}", mode)
        self.currentIndexChanged.connect(lambda _index: self.chosen.emit())

    @property
    def source(self) -> Source:
        """The input the pilot chose."""
        source: Source = self.currentData()
        return source

    @property
    def mode(self) -> int:
        """The mode of the on-screen sticks, 1 to 4."""
        mode: int | None = self.currentData(_MODE)
        return mode or USUAL_MODE

    def choose(self, source: object) -> None:
        """Choose an input; an unknown one is no error."""
        index = self.findData(source)
        if index >= 0 and source != self.source:
            self.setCurrentIndex(index)

    def say_less(self, is_short: bool) -> None:
        """Say what there is in short words, or in long ones."""
        for index in range(self.count()):
            self.setItemText(index, self.itemData(index, _SHORT if is_short else _TITLE))

    def state(self) -> Json:
        """What is chosen."""
        return {"source": self.source} | ({} if self.mode == USUAL_MODE else {"mode": self.mode})

    def restore(self, state: Json) -> None:
        """Choose what `state` returned; what is no input and no mode is no error."""
        self.choose(state.get("source"))
        mode = state.get("mode")
        index = self.findData(mode, _MODE)
        if self.source == "screen" and isinstance(mode, int) and index >= 0:
            self.setCurrentIndex(index)

    def _add(self, source: Source, title: str, short: str, mode: int | None = None) -> None:
        index = self.count()
        self.addItem(title, source)
        for role, value in ((_TITLE, title), (_SHORT, short), (_MODE, mode)):
            self.setItemData(index, value, role)
