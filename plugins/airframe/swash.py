"""Swash plate settings: how the rotor head of a helicopter is built."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from telemetry.configuration.airframe.airframe import HELICOPTER
from telemetry.configuration.airframe.helicopter import SwashPlate, swash_type_named, swash_types
from telemetry.configuration.settings.airframe_draft import AirframeDraft
from widgets.choices import make_choice
from widgets.parts import make_grid
from widgets.value_slider import ValueSlider
from widgets.wheel_filter import wheel_needs_focus

_SERVOS = "WXYZ"
_CUSTOM = "Custom"
_TITLE_PX = 110


class SwashControls(QWidget):
    """Type of swash plate, correction angle, share of collective; angles for a custom one."""

    def __init__(self, draft: AirframeDraft) -> None:
        super().__init__()
        self._draft = draft
        self.types = make_choice("Swash plate", [kind.name for kind in swash_types()])
        wheel_needs_focus(self.types)
        self.types.textActivated.connect(self._take_type)
        self.collective = ValueSlider(
            "Collective",
            "%",
            (0.0, 100.0),
            1.0,
            50.0,
            help="The share of collective pitch in the servos of the plate.",
        )
        self.collective.changed.connect(lambda v: self._take(collective=round(v)))
        self.correction = ValueSlider("Correction angle", "°", (-180.0, 180.0), 1.0, 0.0)
        self.correction.changed.connect(lambda v: self._take(correction_deg=v))
        self.linked = QCheckBox("Cyclic takes what collective leaves")
        self.linked.clicked.connect(self._take_linked)
        self.angles = {name: self._angle(name) for name in _SERVOS}
        grid = make_grid(self, spacing=(-1, 2))
        grid.addWidget(QLabel("Swash plate"), 0, 0)
        grid.addWidget(self.types, 0, 1)
        parts = (self.collective, self.linked, self.correction, *self.angles.values())
        for row, part in enumerate(parts, 1):
            if isinstance(part, ValueSlider):
                part.set_title_width(_TITLE_PX)
            grid.addWidget(part, row, 0, 1, 2)
        grid.setColumnStretch(1, 1)

    def refresh(self) -> None:
        """Show the rotor head as it is now."""
        draft = self._draft
        is_heli = draft.frame.family == HELICOPTER and draft.definition is not None
        self.setVisible(is_heli)
        if not is_heli:
            return
        self.setEnabled(not draft.is_read_only)
        plate = draft.setup.swash_plate
        kind = swash_type_named(plate.type)
        with QSignalBlocker(self.types), QSignalBlocker(self.linked):
            self.types.setCurrentText(plate.type)
            self.linked.setChecked(draft.setup.is_linked)
        self.collective.show_value(float(plate.share))
        self.collective.setEnabled(kind.collective > 0)
        self.correction.show_value(plate.correction_deg)
        angles = plate.angles_deg or kind.angles_deg
        for slider, angle in zip(self.angles.values(), angles, strict=False):
            slider.show_value(angle)
        for slider in self.angles.values():
            slider.setVisible(plate.type == _CUSTOM)

    def _angle(self, name: str) -> ValueSlider:
        slider = ValueSlider(f"Servo {name}", "°", (0.0, 359.0), 1.0, 0.0)
        slider.changed.connect(lambda _value: self._take_angles())
        return slider

    def _take_type(self, name: str) -> None:
        self._stage(SwashPlate(name, correction_deg=self._plate.correction_deg))

    def _take_angles(self) -> None:
        self._take(angles_deg=tuple(slider.value for slider in self.angles.values()))

    def _take_linked(self, is_linked: bool) -> None:
        self._draft.set_swash_plate(self._plate, is_linked=is_linked)

    def _take(self, **changed: object) -> None:
        self._stage(replace(self._plate, **changed))  # type: ignore[arg-type]

    def _stage(self, plate: SwashPlate) -> None:
        self._draft.set_swash_plate(plate, is_linked=self._draft.setup.is_linked)

    @property
    def _plate(self) -> SwashPlate:
        return self._draft.setup.swash_plate
