"""Throttle curves: points to drag, generators, and what moves the second."""

from PySide6.QtWidgets import (
    QLabel,
    QSpinBox,
    QWidget,
)

from telemetry.configuration.airframe.curves import CURVE_KINDS, POINTS, generate_curve
from telemetry.configuration.settings.airframe_draft import MIXER, AirframeDraft
from widgets.choices import make_choice
from widgets.curve_editor import CurveRange
from widgets.forms.spin_boxes import indent_text
from widgets.parts import STRETCH, make_button, make_column, make_grid, make_label, make_row
from widgets.settings.curve import SettingCurve
from widgets.settings.editor import SettingEditor
from widgets.wheel_filter import wheel_needs_focus

CURVE_NAMES = ("ThrottleCurve1", "ThrottleCurve2")
_LABELS = tuple(str(100 * point // (POINTS - 1)) for point in range(POINTS))
_SOURCE = "Curve2Source"
_PARAMETERS = {"Log": "power", "Exp": "power", "Step": "step at"}


class CurveControls(QWidget):
    """Both curves side by side; one that this firmware lacks is left out and named."""

    def __init__(self, draft: AirframeDraft) -> None:
        super().__init__()
        self._draft = draft
        settings = draft.settings
        self.curves = {name: _Curve(draft, name) for name in CURVE_NAMES}
        self.source = SettingEditor(settings, MIXER, _SOURCE)
        self._note = make_label(tone="muted")
        below = make_row(QLabel("The second curve follows"), self.source, STRETCH)
        grid = make_grid(self, spacing=(16, -1))
        for column, curve in enumerate(self.curves.values()):
            grid.addWidget(curve, 0, column)
            grid.setColumnStretch(column, 1)
        grid.addLayout(below, 1, 1)
        grid.addWidget(self._note, 1, 0)

    def refresh(self) -> None:
        """Show the curves as they are now."""
        missing = [n for n in CURVE_NAMES if not self._draft.settings.has(MIXER, n)]
        known = self._draft.definition is not None
        self._note.setText(
            f"Not in this firmware: {', '.join(missing)}." if known and missing else ""
        )
        for name, curve in self.curves.items():
            curve.setVisible(name not in missing or not known)
            curve.refresh()
        self.source.refresh()

    def widget_of(self, path: str) -> QWidget | None:
        """What sets a path of MixerSettings, if anything here does."""
        name = path.partition(".")[0]
        curve = self.curves.get(name)
        return self.source if name == _SOURCE else curve.editor if curve is not None else None


class _Curve(QWidget):
    """One curve with its generator."""

    def __init__(self, draft: AirframeDraft, name: str) -> None:
        super().__init__()
        self._draft, self._name = draft, name
        low = -1.0 if name == CURVE_NAMES[1] else 0.0
        span = CurveRange(low, 1.0, 0.01, "%", 100.0)
        title = "Throttle curve" if name == CURVE_NAMES[0] else "Second curve, collective"
        paths = [f"{name}.{label}" for label in _LABELS]
        labels = [f"{label} %" for label in _LABELS]
        self.editor = SettingCurve(draft.settings, MIXER, paths, labels, span, title)
        self.setFocusProxy(self.editor)
        self.kinds = make_choice(f"Kind of {title.lower()}", CURVE_KINDS)
        wheel_needs_focus(self.kinds)
        self.kinds.currentTextChanged.connect(self._show_parameter)
        self.low = _percent("from ", round(100 * low), 0)
        self.high = _percent("to ", round(100 * low), 100)
        self.parameter = _percent("power ", 0, 50)
        self.make = make_button("Generate", self._generate)
        self.make.setToolTip("Stage the five points of this kind of curve.")
        row = make_row(self.kinds, self.low, self.high, STRETCH, spacing=4)
        below = make_row(self.make, self.parameter, STRETCH, spacing=4)
        self.setLayout(make_column(QLabel(title), self.editor, row, below))
        self._show_parameter(self.kinds.currentText())

    def refresh(self) -> None:
        """Show the staged points."""
        self.editor.refresh()
        self.make.setEnabled(not self._draft.is_read_only)

    def _show_parameter(self, kind: str) -> None:
        self.parameter.setVisible(kind in _PARAMETERS)
        self.parameter.setPrefix(f"{_PARAMETERS.get(kind, '')} ")
        self.parameter.setSuffix("\u202f%" if kind == "Step" else "")
        self.high.setVisible(kind != "Flat")
        self.low.setPrefix("at " if kind == "Flat" else "from ")

    def _generate(self) -> None:
        points = generate_curve(
            self.kinds.currentText(),
            self.low.value() / 100.0,
            self.high.value() / 100.0,
            float(self.parameter.value()),
        )
        values = dict(zip(self.editor.paths, points, strict=True))
        self._draft.settings.stage_all(MIXER, values)
        self.refresh()


def _percent(prefix: str, low: int, value: int) -> QSpinBox:
    box = QSpinBox()
    indent_text(box)
    box.setRange(low, 100)
    box.setMinimumWidth(100)
    box.setValue(value)
    box.setPrefix(prefix)
    box.setSuffix("\u202f%")
    wheel_needs_focus(box)
    return box
