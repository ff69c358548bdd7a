"""Calibration result, before and after, to be staged or discarded; or why there is none."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from plugins.calibration.drift_charts import drift_charts
from telemetry.base.number_text import significant
from telemetry.configuration.calibration.fits.result import Calibration
from telemetry.configuration.calibration.procedures.recipe import CalibrationChange
from telemetry.configuration.calibration.procedures.run import Run, RunState
from telemetry.configuration.calibration.procedures.thermal import ThermalRecipe
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.sphere_view import SphereView
from widgets.theme import Theme

_NEXT_TO_NOTHING = 5e-4


class ResultView(QFrame):
    """Ends a run: `staged`, `discarded` or `repeated` is what the user pressed."""

    staged = Signal()
    discarded = Signal()
    repeated = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "plain")
        self.checks: list[tuple[QCheckBox, CalibrationChange]] = []
        self.title = make_label(size="title")
        self.problem = make_label(tone="danger", size="title", wraps=True)
        self.remedy = make_label(wraps=True)
        self.stage = make_button("Stage result", self.staged.emit, "primary")
        self.stage.setToolTip("Put it among the changes below; they are sent when you apply them.")
        self.discard = make_button("Discard", self.discarded.emit)
        self.repeat = make_button("Repeat", self.repeated.emit)
        self._body = QWidget()
        buttons = make_row(self.stage, self.discard, self.repeat, STRETCH)
        parts = (self.title, self.problem, self.remedy, self._body, buttons)
        self._column = make_column(*parts, margins=(12, 8, 12, 8), spacing=8)
        self.setLayout(self._column)

    @property
    def chosen(self) -> tuple[CalibrationChange, ...]:
        """The parts that are ticked."""
        return tuple(part for check, part in self.checks if check.isChecked())

    @property
    def main_button(self) -> QPushButton:
        """What is pressed if all went well, or to close what did not."""
        return self.discard if self.stage.isHidden() else self.stage

    def show_run(self, run: Run, theme: Theme) -> None:
        """Show how a run ended."""
        has_failed = run.state is RunState.FAILED
        self.title.setText(f"{run.kind.title}: {'nothing found' if has_failed else 'result'}")
        self.problem.setText(run.problem)
        self.remedy.setText(f"{run.remedy} Nothing was staged, and nothing on board has changed.")
        self.problem.setVisible(has_failed)
        self.remedy.setVisible(has_failed)
        self.stage.setVisible(not has_failed)
        self.discard.setText("Close" if has_failed else "Discard")
        self.checks = []
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        for part in run.parts:
            self._add_part(column, part, theme)
        if isinstance(run.recipe, ThermalRecipe) and run.parts:
            charts = QHBoxLayout()
            for chart in drift_charts(run.recipe, run.parts):
                chart.apply_theme(theme)
                charts.addWidget(chart)
            column.addLayout(charts)
        self._column.replaceWidget(self._body, body)
        self._body.deleteLater()
        self._body = body
        self._allow()

    def _add_part(self, column: QVBoxLayout, part: CalibrationChange, theme: Theme) -> None:
        check = QCheckBox(part.title)
        check.setChecked(part.is_good)
        check.setEnabled(part.calibration is not None)
        check.toggled.connect(self._allow)
        self.checks.append((check, part))
        column.addWidget(check)
        lines = [part.problem] if part.problem else []
        if part.calibration is not None:
            lines += [quality.text + "." for quality in part.calibration.quality]
            lines.append(_found(part.calibration))
        for line in lines:
            column.addWidget(_line(line))
        if part.calibration is not None:
            verdict = _line(part.calibration.verdict)
            verdict.setProperty("tone", "ok" if part.calibration.is_good else "caution")
            column.addWidget(verdict)
        if part.field is not None and part.before is not None:
            column.addLayout(_spheres(part, theme))

    def _allow(self) -> None:
        self.stage.setEnabled(bool(self.chosen))


def _found(calibration: Calibration) -> str:
    """The values, field by field."""
    fields: dict[str, list[float]] = {}
    for values in calibration.values.values():
        for path, value in values.items():
            fields.setdefault(path.partition(".")[0], []).append(value)
    return "; ".join(f"{name} {_numbers(found)}" for name, found in fields.items()) + "."


def _numbers(values: list[float]) -> str:
    """Without the noise in those that are next to nothing beside the others."""
    least = _NEXT_TO_NOTHING * max(abs(value) for value in values)
    return ", ".join(significant(value if abs(value) > least else 0.0, 4) for value in values)


def _line(text: str) -> QLabel:
    label = make_label(text, wraps=True)
    label.setIndent(22)
    return label


def _spheres(part: CalibrationChange, theme: Theme) -> QHBoxLayout:
    assert part.field is not None
    assert part.before is not None
    before = SphereView("Before", is_judged=True)
    after = SphereView("After: dots within 2 %, large within 5 %, crosses beyond", is_judged=True)
    before.set_points(np.asarray(part.before))
    after.set_points(part.field.points)
    row = QHBoxLayout()
    for sphere in (before, after):
        sphere.setFixedHeight(260)
        sphere.apply_theme(theme)
        row.addWidget(sphere)
    return row
