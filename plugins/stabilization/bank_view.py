"""One bank: gains, stick curves, the curve of gains over thrust, and whatever else it has."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from plugins.stabilization.gain_grid import Column, GainGrid, axis_column, pid_columns
from plugins.stabilization.rate_chart import StickChart
from plugins.stabilization.sections import Section, form_section
from telemetry.settings.banks import BANKS
from telemetry.settings.configuration import Configuration
from widgets.curve_editor import CurveRange
from widgets.settings.curve import SettingCurve
from widgets.settings.form import ObjectForm
from widgets.theme import Theme

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
_COMPENSATION = ("EnablePiroComp", "FpvCamTiltCompensation")
_SCALE = "ThrustPIDScaleCurve"
_SCALE_POINTS = ("0", "25", "50", "75", "100")
_SCALE_FIELDS = (
    "EnableThrustPIDScaling",
    "ThrustPIDScaleSource",
    "ThrustPIDScaleTarget",
    "ThrustPIDScaleAxes",
)
_SCALE_RANGE = CurveRange(-50.0, 50.0, 1.0, "%")


class BankView(QWidget):
    """The sections of one bank. `gains` is the first of them, for the page to place: what tunes
    gains stands right below it. `grids` are those whose roll and pitch can be linked."""

    def __init__(self, settings: Configuration, bank: str) -> None:
        super().__init__()
        self.bank = bank
        self._settings = settings
        self.grids: list[GainGrid] = []
        self._themed: list[SettingCurve | StickChart] = []
        self.gains = self._gains()
        self.sections: list[Section] = [
            self.gains,
            self._sticks(),
            self._more(),
            self._thrust_scaling(),
        ]
        for folded in self.sections[2:]:
            folded.set_open(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for section in self.sections[1:]:
            column.addWidget(section)
        rest = self._rest()
        if rest is not None:
            self.sections.append(rest)
            column.addWidget(rest)

    def refresh(self) -> None:
        """Show what is staged and on board."""
        for section in self.sections:
            section.refresh()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        for themed in self._themed:
            themed.apply_theme(theme)

    def set_linked(self, is_linked: bool) -> None:
        """Have roll and pitch take each other's values, or not."""
        for grid in self.grids:
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

    def _grid(self, columns: tuple[Column, ...]) -> GainGrid:
        grid = GainGrid(self._settings, self.bank, columns)
        self.grids.append(grid)
        return grid

    def _gains(self) -> Section:
        rate, attitude = self._grid(_RATE), self._grid(_ATTITUDE)
        inner = _heading("Rate: how hard it corrects a wrong rate of turn (inner loop)")
        outer = _heading("Attitude: how fast it turns towards a wanted angle (outer loop)")
        return Section(
            self._settings,
            self.bank,
            "Gains",
            [inner, rate, outer, attitude],
            lambda: {**rate.editors, **attitude.editors},
        )

    def _sticks(self) -> Section:
        grid = self._grid(_STICKS)
        rates = StickChart(
            self._settings,
            self.bank,
            "Rate modes",
            "deg/s",
            "ManualRate.{axis}",
            "MaximumRate.{axis}",
        )
        angles = StickChart(self._settings, self.bank, "Attitude modes", "deg", "{axis}Max")
        self._themed += [rates, angles]
        charts = _SideBySide(rates, angles)
        return Section(
            self._settings,
            self.bank,
            "Sticks: angles, rates and expo",
            [grid, charts],
            lambda: grid.editors,
        )

    def _more(self) -> Section:
        grid = self._grid(_MORE)
        form = ObjectForm(self._settings, self.bank, _COMPENSATION)
        return Section(
            self._settings,
            self.bank,
            "Acro+, feed forward and compensation",
            [grid, form],
            lambda: {**grid.editors, **form.editors},
        )

    def _thrust_scaling(self) -> Section:
        form = ObjectForm(self._settings, self.bank, _SCALE_FIELDS)
        paths = [f"{_SCALE}.{label}" for label in _SCALE_POINTS]
        labels = [f"{label} %" for label in _SCALE_POINTS]
        curve = SettingCurve(
            self._settings, self.bank, paths, labels, _SCALE_RANGE, "Gains over thrust"
        )
        self._themed.append(curve)
        about = _heading(
            "Gains are raised or lowered by this share over thrust: motors react more strongly "
            "near full thrust, where less gain keeps them from oscillating."
        )
        return Section(
            self._settings,
            self.bank,
            "Thrust PID scaling (TPS)",
            [about, form, curve],
            lambda: {**form.editors, **dict.fromkeys(paths, curve)},
        )

    def _rest(self) -> Section | None:
        """Fields of this firmware that no section above shows."""
        definition = self._settings.definition(self.bank)
        if definition is None or self.bank not in BANKS:
            return None
        shown = {path.partition(".")[0] for section in self.sections for path in section.paths()}
        rest = [f.name for f in definition.fields if f.name not in shown]
        return form_section(self._settings, self.bank, "More", rest) if rest else None


class _SideBySide(QWidget):
    """Two charts in a row."""

    def __init__(self, *charts: StickChart) -> None:
        super().__init__()
        self._charts = charts
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for chart in charts:
            line.addWidget(chart)

    def refresh(self) -> None:
        """Draw what is staged now."""
        for chart in self._charts:
            chart.refresh()


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("tone", "muted")
    label.setWordWrap(True)
    return label
