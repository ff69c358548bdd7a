"""Bank view: gains, stick curves, the curve of gains over thrust, and whatever else it has."""

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from plugins.stabilization.gain_grid import Column, GainGrid, axis_column, pid_columns
from plugins.stabilization.rate_chart import StickChart
from plugins.stabilization.thrust_marker import ThrustMarker
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.stabilization_banks import BANKS
from widgets.curve_editor import CurveRange
from widgets.parts import make_column, make_label
from widgets.settings.collapsible_settings import CollapsibleContents, CollapsibleSettings
from widgets.settings.curve import SettingCurve
from widgets.settings.form import ObjectForm
from widgets.theme import Theme, ThemedWidget, hand_theme

_RATE = pid_columns(("RollRatePID", "PitchRatePID", "YawRatePID"), ("Kp", "Ki", "Kd", "ILimit"))
_ATTITUDE = pid_columns(("RollPI", "PitchPI", "YawPI"), ("Kp", "Ki", "ILimit"))
_STICKS = (
    Column("Angle at full stick, deg", ("RollMax", "PitchMax", "YawMax")),
    axis_column("ManualRate", "Rate at full stick, deg/s"),
    axis_column("MaximumRate", "Limit of any rate, deg/s"),
    axis_column("StickExpo", "Expo, %"),
)
_MORE = (
    axis_column("AcroInsanityFactor", "Acro+ directness, %"),
    axis_column("AttitudeFeedForward", "Feed forward, s"),
)
_GAIN_FIELDS = ("RollRatePID", "PitchRatePID", "YawRatePID", "RollPI", "PitchPI", "YawPI")
_STICK_FIELDS = ("RollMax", "PitchMax", "YawMax", "ManualRate", "MaximumRate", "StickExpo")
_MORE_FIELDS = ("AcroInsanityFactor", "AttitudeFeedForward")
_COMPENSATION = ("EnablePiroComp", "FpvCamTiltCompensation")
_SPARE_PX = 30
_SCALE = "ThrustPIDScaleCurve"
_SCALE_POINTS = ("0", "25", "50", "75", "100")
_SCALE_FIELDS = (
    "EnableThrustPIDScaling",
    "ThrustPIDScaleSource",
    "ThrustPIDScaleTarget",
    "ThrustPIDScaleAxes",
)
_SCALE_RANGE = CurveRange(-50.0, 50.0, 1.0, "%")


class BankView(ThemedWidget):
    """The sections of one bank. `gains` is the first of them, for the page to place: what tunes
    gains stands right below it."""

    def __init__(self, settings: Configuration, bank: str, theme: Theme) -> None:
        super().__init__()
        self.bank = bank
        self._settings = settings
        self._theme: Theme = theme
        self._is_linked = False
        self._grids: list[GainGrid] = []
        self.gains = self._section("Gains", _GAIN_FIELDS, self._make_gains)
        sticks = self._section("Sticks: angles, rates and expo", _STICK_FIELDS, self._make_sticks)
        self.sections: list[CollapsibleSettings] = [
            self.gains,
            sticks,
            self._section(
                "Acro+, feed forward and compensation",
                (*_MORE_FIELDS, *_COMPENSATION),
                self._make_more,
            ),
            self._section(
                "Thrust PID scaling (TPS)", (_SCALE, *_SCALE_FIELDS), self._make_thrust_scaling
            ),
        ]
        self.gains.set_open(True)
        sticks.set_open(True)
        rest = self._rest()
        if rest:
            self.sections.append(CollapsibleSettings(settings, bank, "More", rest))
        self.setLayout(make_column(*self.sections[1:], spacing=4))

    def refresh(self) -> None:
        """Show what is staged and on board."""
        for section in self.sections:
            section.refresh()

    def set_linked(self, is_linked: bool) -> None:
        """Have roll and pitch take each other's values, or not."""
        self._is_linked = is_linked
        for grid in self._grids:
            grid.set_linked(is_linked)

    def fold_like(self, other: "BankView") -> None:
        """Unfold what is unfolded in another bank's view."""
        is_open = {section.title: section.is_open for section in other.sections}
        for section in self.sections:
            section.set_open(is_open.get(section.title, section.is_open))

    def show_setting(self, path: str) -> bool:
        """Bring a setting into view; False if this bank has not got it."""
        return any(section.show_setting(path) for section in self.sections)

    # The sections

    def _section(
        self, title: str, fields: tuple[str, ...], make: Callable[[], CollapsibleContents]
    ) -> CollapsibleSettings:
        return CollapsibleSettings(self._settings, self.bank, title, fields, make)

    def _grid(self, columns: tuple[Column, ...]) -> GainGrid:
        grid = GainGrid(self._settings, self.bank, columns)
        grid.set_linked(self._is_linked)
        self._grids.append(grid)
        return grid

    def _make_gains(self) -> CollapsibleContents:
        rate, attitude = self._grid(_RATE), self._grid(_ATTITUDE)
        inner = _Titled("Rate: how hard it corrects a rate of turn (inner loop)", rate)
        outer = _Titled("Attitude: how fast it seeks an angle (outer loop)", attitude)
        return CollapsibleContents(
            [_SideBySide(inner, outer)], lambda: {**rate.editors, **attitude.editors}
        )

    def _make_sticks(self) -> CollapsibleContents:
        settings, bank = self._settings, self.bank
        grid = self._grid(_STICKS)
        rates = StickChart(
            settings, bank, "Rate modes", "deg/s", "ManualRate.{axis}", "MaximumRate.{axis}"
        )
        angles = StickChart(settings, bank, "Attitude modes", "deg", "{axis}Max")
        for chart in (rates, angles):
            hand_theme(chart, self._theme)
        return CollapsibleContents([grid, _SideBySide(rates, angles)], lambda: grid.editors)

    def _make_more(self) -> CollapsibleContents:
        grid = self._grid(_MORE)
        form = ObjectForm(self._settings, self.bank, _COMPENSATION)
        return CollapsibleContents([grid, form], lambda: {**grid.editors, **form.editors})

    def _make_thrust_scaling(self) -> CollapsibleContents:
        form = ObjectForm(self._settings, self.bank, _SCALE_FIELDS)
        paths = [f"{_SCALE}.{label}" for label in _SCALE_POINTS]
        labels = [f"{label} %" for label in _SCALE_POINTS]
        curve = SettingCurve(
            self._settings, self.bank, paths, labels, _SCALE_RANGE, "Gains over thrust"
        )
        hand_theme(curve, self._theme)
        marker = ThrustMarker(self._settings, self.bank, curve.editor)
        about = make_label(
            "Gains are raised or lowered by this share over thrust: motors react more strongly "
            "near full thrust, where less gain keeps them from oscillating.",
            tone="muted",
            wraps=True,
        )
        return CollapsibleContents(
            [about, form, curve, marker], lambda: {**form.editors, **dict.fromkeys(paths, curve)}
        )

    def _rest(self) -> tuple[str, ...]:
        """Fields of this firmware that no section above shows."""
        definition = self._settings.definition(self.bank)
        if definition is None or self.bank not in BANKS:
            return ()
        shown = {path.partition(".")[0] for section in self.sections for path in section.paths()}
        return tuple(f.name for f in definition.fields if f.name not in shown)


class _Titled(QWidget):
    """A grid under a few words."""

    def __init__(self, text: str, grid: GainGrid) -> None:
        super().__init__()
        self._grid = grid
        self.setLayout(make_column(make_label(text, tone="muted", wraps=True), grid, spacing=4))

    def refresh(self) -> None:
        """Show what is staged and on board."""
        self._grid.refresh()


class _SideBySide(QWidget):
    """Two parts in a row where there is room, else one below the other."""

    def __init__(self, *parts: StickChart | _Titled) -> None:
        super().__init__()
        self._parts = parts
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(12)
        for part in parts:
            self._box.addWidget(part)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the wider of the two, so that a narrow window can put them below."""
        width = max(part.minimumSizeHint().width() for part in self._parts)
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        room = sum(part.minimumSizeHint().width() + _SPARE_PX for part in self._parts)
        direction = QBoxLayout.Direction
        is_roomy = self.width() >= room
        self._box.setDirection(direction.LeftToRight if is_roomy else direction.TopToBottom)
        super().resizeEvent(event)

    def refresh(self) -> None:
        """Show what is staged now."""
        for part in self._parts:
            part.refresh()
