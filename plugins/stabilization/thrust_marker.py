"""Thrust marker on the curve of gains over thrust: where the aircraft is, and its gains there."""

import numpy as np
from PySide6.QtWidgets import QLabel

from telemetry.configuration.settings.configuration import Configuration
from telemetry.review.analysis.stick_curve import scaled_gain_percent
from widgets.curve_editor import CurveEditor
from widgets.forms.formats import THIN_SPACE
from widgets.labels import set_text

_SOURCES = {
    "ManualControlThrottle": ("ManualControlCommand", "Throttle"),
    "StabilizationDesiredThrust": ("StabilizationDesired", "Thrust"),
    "ActuatorDesiredThrust": ("ActuatorDesired", "Thrust"),
}


class ThrustMarker(QLabel):
    """A line of words below the curve, and its cursor."""

    def __init__(self, settings: Configuration, bank: str, curve: CurveEditor) -> None:
        super().__init__()
        self.setProperty("tone", "muted")
        self._settings, self._bank, self._curve = settings, bank, curve

    def refresh(self) -> None:
        """Follow the aircraft's thrust, as its source is staged."""
        thrust = self._thrust()
        self._curve.set_cursor(thrust)
        text = ""
        if thrust is not None:
            points = np.array(self._curve.points)
            (percent,) = scaled_gain_percent(points, np.array([thrust]))
            text = (
                f"Now at {100.0 * thrust:.0f}{THIN_SPACE}% thrust: "
                f"gains {percent:+.0f}{THIN_SPACE}%."
            )
        set_text(self, text)

    def _thrust(self) -> float | None:
        source = self._settings.value(self._bank, "ThrustPIDScaleSource")
        name, field = _SOURCES.get(str(source), ("", ""))
        sample = self._settings.aircraft.sample(name) if name else None
        if sample is None or not sample.definition.has_field(field):
            return None
        return min(max(float(sample[field]), 0.0), 1.0)
