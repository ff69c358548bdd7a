"""Preferences overlay for those that have no other control: connection, recording, sizes, units."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QWidget

from app.preferences import AUTOMATIC, LINK_LOSS_RANGE_S, SCALE_RANGE, Preferences
from app.window.overlay import Overlay
from widgets.choices import make_choice
from widgets.display_units import ALL_UNITS
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_button, make_heading, make_label

_DENSITIES = (("Automatic", AUTOMATIC), ("Comfortable", "comfortable"), ("Compact", "compact"))


class PreferencesOverlay(Overlay):
    """A form over the window. `on_save` gets the changed preferences by name."""

    def __init__(
        self,
        parent: QWidget,
        present: Preferences,
        usual_folder: str,
        on_save: Callable[[dict[str, Any]], None],
    ) -> None:
        super().__init__(parent, 680)
        self._on_save = on_save
        heading = make_heading("Preferences")
        self.column.addWidget(heading)
        self.start = QLineEdit(present.connect_at_start)
        self.start.setPlaceholderText("nothing")
        self.folder = QLineEdit(present.recording_folder)
        self.folder.setPlaceholderText(usual_folder)
        self.loss = NumberBox("", LINK_LOSS_RANGE_S, 1, " s", 0.5)
        self.loss.setValue(present.link_loss_s)
        self.scale = NumberBox("", SCALE_RANGE, 1, "×", 0.1)
        self.scale.setValue(present.scale)
        self.density = make_choice("Density", _DENSITIES, chosen=present.density)
        kinds = [(units.title, units.name) for units in ALL_UNITS.values()]
        self.units = make_choice("Units", kinds, chosen=present.units)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.addRow("Connect at the start to", self.start)
        form.addRow("", _hint(f"An address; “{AUTOMATIC}” is the simulator; empty is nothing."))
        form.addRow("Record flights in", self.folder)
        form.addRow("", _hint("Counts from the next connection on; empty is the usual folder."))
        form.addRow("Link lost after silence of", self.loss)
        form.addRow("Size of everything", self.scale)
        form.addRow("Room for fields, rows and buttons", self.density)
        form.addRow("", _hint("Automatic is compact while the window is low."))
        form.addRow("Units", self.units)
        form.addRow("", _hint("Of instruments, values, plots and map; files keep their own."))
        self.column.addLayout(form)
        save = make_button("Save preferences", self._save, "primary")
        self.column.addWidget(save, 0, Qt.AlignmentFlag.AlignRight)
        self.appear(self.start)

    def _save(self) -> None:
        self.close()
        self._on_save(
            {
                "connect_at_start": self.start.text().strip(),
                "recording_folder": self.folder.text().strip(),
                "link_loss_s": self.loss.value(),
                "scale": self.scale.value(),
                "density": self.density.currentData(),
                "units": self.units.currentData(),
            }
        )


def _hint(text: str) -> QLabel:
    return make_label(text, tone="muted", size="small")
