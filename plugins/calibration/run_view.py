"""Calibration under way: what to do now, in letters read at arm's length, and a drawing of it."""

import math

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFrame,
    QGridLayout,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.procedures.accelerometer_and_mounting import SixSidesRecipe
from telemetry.configuration.calibration.procedures.gyro_and_level import LevelRecipe
from telemetry.configuration.calibration.procedures.magnetometer import MagnetometerRecipe
from telemetry.configuration.calibration.procedures.recipe import Recipe
from telemetry.configuration.calibration.procedures.run import Run, RunState
from telemetry.configuration.calibration.procedures.thermal import ThermalRecipe
from widgets.hold_ring import HoldRing
from widgets.labels import set_text
from widgets.parts import make_button, make_column, make_label, make_row
from widgets.pose_view import PoseView
from widgets.solid import Shape
from widgets.sphere_view import SphereView
from widgets.xy_chart import ChartSeries, XyChart

ANGLES = {
    RestPose.LEVEL: (0.0, 0.0),
    RestPose.LEFT_DOWN: (-90.0, 0.0),
    RestPose.UPSIDE_DOWN: (180.0, 0.0),
    RestPose.RIGHT_DOWN: (90.0, 0.0),
    RestPose.NOSE_DOWN: (0.0, -90.0),
    RestPose.NOSE_UP: (0.0, 90.0),
}
"""Roll and pitch of each side."""


class RunView(QFrame):
    """Follows one run after the other. `cancelled` and `finished` are what the user pressed."""

    cancelled = Signal()
    finished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "plain")
        self.title = make_label(size="title")
        self.prepare = make_label(tone="muted", wraps=True)
        self.wanted = make_label(size="display", wraps=True)
        self.trouble = make_label(tone="caution", wraps=True)
        self.ring = HoldRing()
        self.total = QProgressBar()
        self.total.setRange(0, 100)
        self.total.setFormat("%p % of all")
        self.sound = QCheckBox("Beep when a step is done")
        self.cancel = make_button("Cancel", self.cancelled.emit)
        self.cancel.setToolTip("Stop. Nothing is staged and nothing on board has changed.")
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.cancelled)
        self.finish = make_button("Finish with what there is", self.finished.emit)
        self.pose = PoseView()
        self.sphere = SphereView("Where the field came from, seen from the aircraft")
        self.chart = XyChart("Temperature of the gyro, °C", "minutes since the start")
        self.pictures = QStackedWidget()
        self.sides = {pose: PoseView(_caption(pose), is_small=True) for pose in RestPose}
        self._strip = QWidget()
        self._steps = 0
        self._lay_out()

    def _lay_out(self) -> None:
        for picture in (self.pose, self.sphere, self.chart):
            self.pictures.addWidget(picture)
        self.pictures.setFixedHeight(270)
        row = make_row(spacing=4)
        self._strip.setLayout(row)
        for pose, view in self.sides.items():
            view.set_pose(*ANGLES[pose])
            row.addWidget(view)
        top = make_row((self.title, 1), self.sound, self.finish, self.cancel)
        words = QVBoxLayout()
        words.addStretch(1)
        words.addWidget(self.ring, 0, Qt.AlignmentFlag.AlignHCenter)
        words.addWidget(self.wanted)
        words.addWidget(self.trouble)
        words.addStretch(1)
        middle = QGridLayout()
        middle.addWidget(self.pictures, 0, 0)
        middle.addLayout(words, 0, 1)
        middle.setColumnStretch(0, 1)
        middle.setColumnStretch(1, 1)
        parts = (top, self.prepare, middle, self._strip, self.total)
        self.setLayout(make_column(*parts, margins=(12, 8, 12, 8), spacing=4))

    def begin(self, run: Run, shape: Shape) -> None:
        """Show a run from its start."""
        self._steps = 0
        self.title.setText(run.kind.title)
        self.prepare.setText(run.kind.prepare)
        recipe = run.recipe
        self._strip.setVisible(isinstance(recipe, SixSidesRecipe))
        self.pictures.setCurrentWidget(
            self.sphere
            if isinstance(recipe, MagnetometerRecipe)
            else self.chart
            if isinstance(recipe, ThermalRecipe)
            else self.pose
        )
        self.total.setVisible(recipe is not None and recipe.hold_s > 0.0)
        self.finish.setVisible(isinstance(recipe, MagnetometerRecipe | ThermalRecipe))
        for view in (self.pose, *self.sides.values()):
            view.set_shape(shape)
        self.chart.set_series(())
        self.refresh(run)

    def refresh(self, run: Run) -> None:
        """Show where it stands."""
        recipe = run.recipe
        if recipe is None:
            return
        progress = run.progress
        is_fitting = run.state is RunState.FITTING
        set_text(self.wanted, "Working it out." if is_fitting else progress.wanted)
        set_text(self.trouble, progress.trouble)
        left_s = recipe.hold_s * (1.0 - progress.hold)
        text = f"{math.ceil(left_s)} s" if recipe.hold_s else f"{round(100 * progress.hold)} %"
        self.ring.set_share(progress.hold, text)
        self.total.setValue(round(100 * progress.share))
        self.finish.setEnabled(run.can_finish)
        self._beep(recipe)
        self._show_picture(recipe)

    def _beep(self, recipe: Recipe) -> None:
        if recipe.steps > self._steps and self.sound.isChecked():
            QApplication.beep()
        self._steps = recipe.steps

    def _show_picture(self, recipe: Recipe) -> None:
        if isinstance(recipe, MagnetometerRecipe):
            if self.sphere.count != len(recipe.shown.rows):
                missing = recipe.shown.coverage.missing
                self.sphere.set_points(recipe.directions(), missing)
        elif isinstance(recipe, ThermalRecipe):
            self._show_course(recipe)
        else:
            roll, pitch = ANGLES[recipe.pose or RestPose.LEVEL]
            is_turning = isinstance(recipe, LevelRecipe) and recipe.is_turning
            self.pose.set_pose(roll, pitch, 180.0 if is_turning else 0.0)
            self.pose.set_turning(is_turning)
        if isinstance(recipe, SixSidesRecipe):
            for pose, view in self.sides.items():
                is_done = pose in recipe.taken
                view.set_mark("done" if is_done else "now" if pose is recipe.pose else "")

    def _show_course(self, recipe: ThermalRecipe) -> None:
        known = len(self.chart.series[0].x) if self.chart.series else 0
        if len(recipe.course) != known:
            t, warmth = np.array(recipe.course).T
            self.chart.set_series((ChartSeries("", t / 60.0, warmth, 0, is_line=True),))


def _caption(pose: RestPose) -> str:
    return pose.value.capitalize()
