"""Mix levels of each axis, and what else a family of airframes can be asked."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QWidget

from telemetry.configuration.airframe.airframe import (
    AXES,
    FIXED_WING,
    HELICOPTER,
    MULTIROTOR,
    Levels,
)
from telemetry.configuration.settings.airframe_draft import MIXER, AirframeDraft
from widgets.parts import STRETCH, make_column, make_grid
from widgets.value_slider import ValueSlider

_DIFFERENTIAL = "RollDifferential"
_TITLE_PX = 110


class LevelControls(QWidget):
    """Mix levels of those axes the frame scales, reversed motors, roll differential."""

    def __init__(self, draft: AirframeDraft) -> None:
        super().__init__()
        self._draft = draft
        self.sliders = {axis: self._slider(axis) for axis in AXES}
        self.linked = QCheckBox("Roll and pitch together")
        self.linked.setChecked(True)
        self.reversed = QCheckBox("All propellers turn the other way")
        self.reversed.setToolTip("Turns the sign of yaw of every motor that the frame generates.")
        self.reversed.clicked.connect(draft.set_reversed)
        self.differential = ValueSlider(
            "Roll differential",
            "%",
            (-100.0, 100.0),
            1.0,
            0.0,
            help="How much less one aileron moves than the other, against adverse yaw.",
        )
        self.differential.changed.connect(self._take_differential)
        for slider in (*self.sliders.values(), self.differential):
            slider.set_title_width(_TITLE_PX)
        rows = make_grid(spacing=(-1, 2))
        for row, axis in enumerate(AXES):
            rows.addWidget(self.sliders[axis], row, 0)
        rows.addWidget(self.linked, len(AXES), 0)
        rows.addWidget(self.differential, len(AXES) + 1, 0)
        rows.addWidget(self.reversed, len(AXES) + 2, 0)
        self.setLayout(make_column(rows, STRETCH))

    def refresh(self) -> None:
        """Show the levels as they are now."""
        draft = self._draft
        frame, setup = draft.frame, draft.setup
        is_heli = frame.family == HELICOPTER
        is_free = not draft.is_read_only and not (is_heli and setup.is_linked)
        for axis, level in zip(AXES, setup.levels, strict=True):
            slider = self.sliders[axis]
            slider.default = float(getattr(frame.levels, axis.lower()))
            slider.setVisible(axis in frame.scaled)
            slider.setEnabled(is_free)
            slider.show_value(float(level))
        self.linked.setVisible({"Roll", "Pitch"} <= set(frame.scaled))
        self.linked.setEnabled(is_free)
        if len(set(setup.levels[:2])) > 1 and self.linked.isChecked():
            self.linked.setChecked(False)
        self.reversed.setVisible(frame.family == MULTIROTOR)
        self.reversed.setEnabled(not draft.is_read_only)
        with QSignalBlocker(self.reversed):
            self.reversed.setChecked(setup.reversed)
        has_differential = draft.settings.has(MIXER, _DIFFERENTIAL)
        self.differential.setVisible(frame.family == FIXED_WING and has_differential)
        self.differential.setEnabled(not draft.is_read_only)
        self.differential.show_value(float(draft.curves.roll_differential))

    def widget_of(self, path: str) -> QWidget | None:
        """What sets a path of MixerSettings, if anything here does."""
        levels: dict[str, QWidget] = {f"MixerValue{axis}": self.sliders[axis] for axis in AXES}
        found = {**levels, _DIFFERENTIAL: self.differential}.get(path)
        return found if found is not None and not found.isHidden() else None

    def _slider(self, axis: str) -> ValueSlider:
        slider = ValueSlider(
            f"{axis} level",
            "%",
            (0.0, 100.0),
            1.0,
            50.0,
            help=f"How much of {axis.lower()} goes into the motors that answer it.",
        )
        slider.changed.connect(lambda value: self._take_level(axis, round(value)))
        return slider

    def _take_level(self, axis: str, level: int) -> None:
        levels = dict(zip(AXES, self._draft.setup.levels, strict=True))
        together = ("Roll", "Pitch") if self.linked.isVisible() and self.linked.isChecked() else ()
        for name in together if axis in together else (axis,):
            levels[name] = level
        self._draft.set_levels(Levels(*(levels[name] for name in AXES)))

    def _take_differential(self, value: float) -> None:
        self._draft.set_roll_differential(round(value))
