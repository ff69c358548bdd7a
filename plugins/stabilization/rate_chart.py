"""Rate chart: what the sticks ask for over their travel, for each axis, from staged values."""

import numpy as np

from telemetry.configuration.settings.configuration import Configuration
from telemetry.review.analysis.stick_curve import stick_response
from widgets.change_detector import ChangeDetector
from widgets.line_chart import Line, LineChart, Mark
from widgets.plot.window import Span

_STICK = np.linspace(0.0, 1.0, 61)
_PERCENT = 100.0 * _STICK
_OTHER_EXPO = "RateExpo"
_AXES = (("Roll", "series_1"), ("Pitch", "series_2"), ("Yaw", "series_3"))


class StickChart(LineChart):
    """A line per axis over the stick's travel. `full` and `limit` are paths with "{axis}" in
    them: what full stick asks for, and what no mode exceeds ("" for none)."""

    def __init__(
        self, settings: Configuration, bank: str, title: str, units: str, full: str, limit: str = ""
    ) -> None:
        super().__init__(title, "% stick", units, 190)
        self._settings, self._bank = settings, bank
        self._full, self._limit = full, limit
        self._seen = ChangeDetector()
        self.x_span = Span(0.0, 100.0)
        self.notice = f"This firmware has no {full.partition('.')[0]}: there is no curve to draw."
        self.refresh()

    def refresh(self) -> None:
        """Draw what is staged now."""
        if not self._seen.has_changed(
            self._settings.aircraft.stamp(self._bank), self._settings.version
        ):
            return
        if self._settings.has(self._bank, _OTHER_EXPO):
            self.notice = f"This firmware bends its sticks by {_OTHER_EXPO}, which is not drawn."
            return
        lines: list[Line] = []
        marks: list[Mark] = []
        highest = 0.0
        for axis, token in _AXES:
            full = self._number(self._full.format(axis=axis))
            if full is None:
                continue
            expo = self._number(f"StickExpo.{axis}") or 0.0
            limit = self._number(self._limit.format(axis=axis)) if self._limit else None
            asked = stick_response(_STICK, full, expo)
            if limit is not None and limit < full:
                lines.append(Line("", token, _PERCENT, asked, is_dashed=True))
                marks.append(Mark(limit, f"{axis} never above {limit:g}", token, is_level=True))
            held = stick_response(_STICK, full, expo, limit)
            lines.append(Line(f"{axis} {held[-1]:.0f}", token, _PERCENT, held))
            highest = max(highest, float(asked.max()))
        self.y_span = Span(0.0, max(10.0, 1.08 * highest))
        self.show_lines(lines, marks)

    def _number(self, path: str) -> float | None:
        value = self._settings.value(self._bank, path)
        return float(value) if isinstance(value, int | float) else None
