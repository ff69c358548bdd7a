"""Home at a glance: where it is, from the GPS, and cleared. The magnetometer needs its field."""

from PySide6.QtWidgets import QWidget

from telemetry.base.clock import wall_now
from telemetry.configuration.calibration.procedures.home import (
    FIX,
    HOME,
    fix_text,
    good_fix,
    home_at,
    home_text,
)
from telemetry.configuration.settings.configuration import Configuration
from telemetry.vehicle.vehicle import Vehicle
from widgets.change_detector import ChangeDetector
from widgets.labels import set_text
from widgets.parts import make_button, make_label, make_row


class HomeView(QWidget):
    """Two lines and two buttons; what is pressed is staged."""

    def __init__(self, settings: Configuration, vehicle: Vehicle) -> None:
        super().__init__()
        self._settings = settings
        self._vehicle = vehicle
        self._seen = ChangeDetector()
        self.text = make_label(wraps=True)
        self.from_gps = make_button("Set home from GPS", self._set)
        self.clear = make_button("Clear home", self._clear)
        self.clear.setToolTip("With a GPS the board sets it anew at the next good fix.")
        self.setLayout(make_row((self.text, 1), self.from_gps, self.clear))

    def refresh(self) -> None:
        """Show where home is and whether the GPS could set it."""
        settings, vehicle = self._settings, self._vehicle
        self.setVisible(settings.has(HOME))
        if not settings.has(HOME):
            return
        is_log = settings.aircraft.is_log
        t = vehicle.timeline.t if is_log else vehicle.end_s
        recording = vehicle.recording
        stamp = (
            settings.version,
            settings.aircraft.stamp(HOME),
            settings.aircraft.stamp(FIX),
            int(t),
        )
        if not self._seen.has_changed(stamp):
            return
        text = f"{home_text(settings, recording, t)} {fix_text(recording, t)}"
        set_text(self.text, text)
        self.from_gps.setEnabled(not is_log and good_fix(recording, t) is not None)
        self.clear.setEnabled(not is_log and settings.value(HOME, "Set") == "True")

    def _set(self) -> None:
        fix = good_fix(self._vehicle.recording, self._vehicle.end_s)
        if fix is not None:
            self._settings.stage_all(HOME, home_at(fix, wall_now()))

    def _clear(self) -> None:
        self._settings.stage(HOME, "Set", "False")
