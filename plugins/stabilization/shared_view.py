"""Shared settings of all banks: assists, height, sensors; generated, in groups."""

from PySide6.QtWidgets import QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.stabilization_banks import SHARED
from widgets.change_detector import ChangeDetector
from widgets.parts import make_column
from widgets.settings.collapsible_settings import CollapsibleSettings

_GROUPS = (
    (
        "Assisted modes: axis lock, weak leveling, Rattitude",
        (
            *("AxisLockKp", "MaxAxisLock", "MaxAxisLockRate"),
            *("WeakLevelingKp", "MaxWeakLevelingRate", "RattitudeModeTransition"),
            *("ForceRollPitchDuringYawTransition", "FlightModeAssistMap"),
        ),
    ),
    (
        "Cruise control: thrust that makes up for tilt",
        (
            *("CruiseControlMinThrust", "CruiseControlMaxThrust", "CruiseControlMaxAngle"),
            *("CruiseControlMaxPowerFactor", "CruiseControlPowerTrim"),
            "CruiseControlPowerDelayComp",
            "CruiseControlFlightModeSwitchPosEnable",
            *("CruiseControlInvertedThrustReversing", "CruiseControlInvertedPowerOutput"),
        ),
    ),
    (
        "Sensors and integrals",
        (
            *("GyroTau", "DerivativeCutoff", "DerivativeGamma", "MeasureBasedDTerm"),
            *("LowThrottleZeroIntegral", "ScaleToAirspeed", "ScaleToAirspeedLimits"),
        ),
    ),
    (
        "Virtual flybar (helicopters)",
        (
            *("VbarSensitivity", "VbarRollPI", "VbarPitchPI", "VbarYawPI", "VbarTau"),
            *("VbarGyroSuppress", "VbarPiroComp", "VbarMaxAngle"),
        ),
    ),
)
_ELSEWHERE = ("FlightModeMap",)
_IN_BANKS = (
    *("RollRatePID", "PitchRatePID", "YawRatePID", "RollPI", "PitchPI", "YawPI"),
    *("ManualRate", "MaximumRate", "RollMax", "PitchMax", "YawMax", "StickExpo"),
    *("AcroInsanityFactor", "AttitudeFeedForward"),
)
_HEIGHT = (
    ("AltitudeHoldSettings", "Altitude hold"),
    ("AttitudeSettings", "Attitude filter"),
)
_FILTER = ("AccelKp", "AccelKi", "AccelTau", "MagKp", "MagKi")


class SharedView(QWidget):
    """Sections made when the aircraft's definition is known, and made anew when it changes."""

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self.sections: list[CollapsibleSettings] = []
        self._settings = settings
        self._built_for = ChangeDetector()
        self._column = make_column(spacing=4)
        self.setLayout(self._column)

    def refresh(self) -> None:
        """Show what is staged and on board."""
        settings = self._settings
        if self._built_for.has_changed(
            tuple(settings.definition(name) for name in (SHARED, *dict(_HEIGHT)))
        ):
            self._build()
        for section in self.sections:
            section.refresh()

    def show_setting(self, name: str, path: str) -> bool:
        """Bring a setting into view; False if it is not in here."""
        return any(s.show_setting(path) for s in self.sections if s.name == name)

    def _build(self) -> None:
        for section in self.sections:
            section.deleteLater()
        self.sections = []
        self._add_shared()
        for name, title in _HEIGHT:
            definition = self._settings.definition(name)
            if definition is not None:
                fields = _FILTER if name == "AttitudeSettings" else ()
                present = tuple(f for f in fields if definition.has_field(f))
                if present or not fields:
                    self.sections.append(CollapsibleSettings(self._settings, name, title, present))
        for section in self.sections:
            self._column.addWidget(section)

    def _add_shared(self) -> None:
        definition = self._settings.definition(SHARED)
        if definition is None:
            return
        known = [f.name for f in definition.fields]
        placed = {*_ELSEWHERE, *_IN_BANKS}
        for title, fields in _GROUPS:
            present = [field for field in fields if field in known]
            placed.update(present)
            if present:
                self.sections.append(CollapsibleSettings(self._settings, SHARED, title, present))
        rest = [field for field in known if field not in placed]
        if rest:
            self.sections.append(CollapsibleSettings(self._settings, SHARED, "More", rest))
