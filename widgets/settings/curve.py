"""Setting curve bound to an array of settings: dragged here, staged at once, sent by Apply."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from telemetry.configuration.settings.configuration import Configuration
from widgets.change_detector import ChangeDetector
from widgets.curve_editor import CurveEditor, CurveRange
from widgets.parts import make_column


class SettingCurve(QWidget):
    """Shows what is staged of some paths as one curve, and what is on board dashed behind it.

    Read-only in a log and where the aircraft lacks one of the paths. Call `refresh` regularly.
    """

    def __init__(
        self,
        settings: Configuration,
        name: str,
        paths: Sequence[str],
        labels: Sequence[str],
        span: CurveRange,
        title: str,
    ) -> None:
        super().__init__()
        self.name, self.paths = name, tuple(paths)
        self._settings = settings
        self._seen = ChangeDetector()
        self.editor = CurveEditor(title, labels, span)
        self.editor.changed.connect(self._stage)
        self.setFocusProxy(self.editor)
        self.setLayout(make_column(self.editor))
        self.refresh()

    def choose(self, path: str) -> None:
        """Make the point of a path the one that keys act on."""
        self.editor.choose(self.paths.index(path))

    def refresh(self) -> None:
        """Show the staged values, or what is on board."""
        settings = self._settings
        if not self._seen.has_changed(settings.aircraft.stamp(self.name), settings.version):
            return
        values = [settings.value(self.name, path) for path in self.paths]
        numbers = [float(value) for value in values if isinstance(value, int | float)]
        is_whole = len(numbers) == len(self.paths)
        self.editor.set_read_only(settings.aircraft.is_log or not is_whole)
        self.setEnabled(is_whole)
        if not is_whole:
            self.editor.set_ghost(())
            return
        self.editor.set_points(numbers)
        on_board = [settings.on_board(self.name, path) for path in self.paths]
        ghost = [float(value) for value in on_board if isinstance(value, int | float)]
        self.editor.set_ghost(ghost if ghost != numbers else ())

    def _stage(self, index: int, value: float) -> None:
        present = self._settings.value(self.name, self.paths[index])
        kept = round(value) if isinstance(present, int) else value
        self._settings.stage(self.name, self.paths[index], kept)
