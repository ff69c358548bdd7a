"""Flight modes page: why it does not arm, what does not fit, and the parts that set it up."""

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from plugins.api import PageContext
from plugins.flight_modes.arming_view import ArmingView
from plugins.flight_modes.failsafe_view import FailsafeView
from plugins.flight_modes.grid import caption
from plugins.flight_modes.positions_view import PositionsView
from plugins.flight_modes.sets_view import SetsView
from telemetry.base.finding import Level
from telemetry.configuration.arming.checklist import arming_checklist
from telemetry.configuration.flight_modes.check import check_flight_modes
from telemetry.configuration.flight_modes.equipment import equipment_of
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.configuration.settings.configuration import Configuration
from widgets.change_detector import ChangeDetector
from widgets.checklist_view import ChecklistView
from widgets.collapsible import FOLD_MARGINS, CollapsibleGroup, LazyCollapsible
from widgets.labels import show_text
from widgets.parts import PAGE_MARGINS, STRETCH, make_column
from widgets.settings.editor import SettingEditor
from widgets.settings.findings import FindingsView
from widgets.settings.form import ObjectForm, reveal
from widgets.theme import Theme, ThemedWidget

_JUDGED = (
    *("FlightModeSettings", "ManualControlSettings", "StabilizationSettings", "SystemSettings"),
    *("RevoSettings", "HwSettings", "VtolPathFollowerSettings"),
)
_ARMED_BY = (
    *("FlightStatus", "ManualControlCommand", "SystemAlarms", "MixerSettings"),
    *("ActuatorSettings", "FlightModeSettings", "ManualControlSettings", "SystemSettings"),
    "VtolPathFollowerSettings",
)
_GUIDED = (
    *("ReturnToBaseAltitudeOffset", "ReturnToBaseVelocity", "ReturnToBaseNextCommand"),
    *("LandingVelocity", "AutoTakeOffVelocity", "AutoTakeOffHeight", "PositionHoldOffset"),
    *("VarioControlLowPassAlpha", "FlightModeChangeRestartsPathPlan"),
)

_AnyPart = (
    LazyCollapsible[PositionsView]
    | LazyCollapsible[SetsView]
    | LazyCollapsible[ArmingView]
    | LazyCollapsible[FailsafeView]
    | LazyCollapsible[ObjectForm]
)


class FlightModesPage(ThemedWidget):
    """Flight modes, arming and failsafe of one aircraft."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings = context.configuration
        self._settings = settings
        self._theme: Theme = context.theme
        self._keeper = ""
        self._judged = ChangeDetector()
        self._armed_by = ChangeDetector()
        self.parts: tuple[_AnyPart, ...] = ()
        self.checklist = ChecklistView(context.show_setting)
        self.findings = FindingsView(context.show_setting)
        self.missing = caption("")
        self.missing.setWordWrap(True)
        parts = (self.checklist, self.findings, self.missing)
        self._column = make_column(*parts, STRETCH, margins=PAGE_MARGINS, spacing=8)
        self.setLayout(self._column)
        self._take_keeper()

    @property
    def positions(self) -> PositionsView:
        """The positions of the switch."""
        return self._positions.view

    @property
    def sets(self) -> SetsView:
        """What axes do in stabilized modes."""
        return self._sets.view

    @property
    def arming(self) -> ArmingView:
        """How it is armed."""
        return self._arming.view

    @property
    def failsafe(self) -> FailsafeView:
        """What it does when nobody commands."""
        return self._failsafe.view

    def build(self) -> Iterator[None]:
        """The parts one by one, then what is wrong with them."""
        self._show_missing()
        for part in self.parts:
            yield
            if part.is_due:
                view = part.view
                yield
                if isinstance(view, SetsView):
                    yield from view.build()
                view.refresh()
        yield
        self._judge()
        yield

    def refresh(self, t: float) -> None:
        """Follow the aircraft and what is staged."""
        self._take_keeper()
        self._show_missing()
        due = next((part for part in self.parts if part.is_due), None)
        if due is not None:  # one at a time: the page shows at once and fills in a few ticks
            self._build(due)
        for part in self.parts:
            if part.built is not None and part.fold.is_open:
                part.built.refresh()
        self._judge()
        self._check_arming()

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view."""
        for part in self.parts:
            self._build(part)
        self.refresh(0.0)
        if path == "Arming":
            self._unfold(self.arming)
            reveal(next(iter(self.arming.tiles.values()), self.arming))
            return
        self.sets.reveal_set(path)
        for editor in self.findChildren(SettingEditor):
            if (editor.name, editor.path) == (name, path):
                self._unfold(editor)
                reveal(editor)
                return

    def incomplete(self) -> str:
        """What keeps it from flying."""
        for check in self.checklist.checklist.blocking:
            if check.code == "method":
                return check.remedy
        dangers = [f for f in self.findings.findings if f.level is Level.ERROR]
        return dangers[0].text if dangers else ""

    def _take_keeper(self) -> None:
        """Build the parts for the object that this aircraft keeps its modes in."""
        is_old = not self._settings.has("FlightModeSettings", "FlightModePosition")
        has_old = is_old and self._settings.has("ManualControlSettings", "FlightModePosition")
        keeper = "ManualControlSettings" if has_old else "FlightModeSettings"
        if keeper == self._keeper:
            return
        self._keeper = keeper
        for part in self.parts:
            part.fold.deleteLater()
        settings = self._settings
        self._positions = LazyCollapsible(
            "Flight mode switch", lambda: PositionsView(settings, keeper)
        )
        self._sets = LazyCollapsible(
            "Stabilization of the sets", lambda: SetsView(settings, keeper)
        )
        self._arming = LazyCollapsible("Arming", lambda: ArmingView(settings, keeper, self._theme))
        self._failsafe = LazyCollapsible("Failsafe", lambda: FailsafeView(settings))
        self._guided = LazyCollapsible(
            "Return, landing and take-off", lambda: _guided(settings, keeper)
        )
        self.parts = (
            self._positions,
            self._sets,
            self._arming,
            self._failsafe,
            self._guided,
        )
        for part in self.parts:
            self._column.insertWidget(self._column.count() - 1, part.fold)

    def _show_missing(self) -> None:
        """Show the parts of which the aircraft has something, and say what it lacks."""
        settings = self._settings
        has_modes, has_receiver = settings.has(self._keeper), settings.has("ManualControlSettings")
        for part in self.parts:
            is_there = has_modes or (part is self._failsafe and has_receiver)
            if part.fold.isHidden() is is_there:
                part.fold.setVisible(is_there)
        lacks = [
            name
            for name in (self._keeper, "ManualControlSettings", "StabilizationSettings")
            if not settings.has(name)
        ]
        text = ""
        if lacks and settings.aircraft.is_complete:
            text = f"This aircraft has no {' and no '.join(dict.fromkeys(lacks))}."
        elif lacks:
            text = "Not all settings have been received yet."
        show_text(self.missing, text)

    def _build(self, part: _AnyPart) -> None:
        _ = part.view
        self._judged.forget()  # it wants to know what the positions are

    def _judge(self) -> None:
        settings = self._settings
        equipment = equipment_of(settings.aircraft)
        stamps = tuple(settings.aircraft.stamp(name) for name in _JUDGED)
        if not self._judged.has_changed(settings.version, stamps, equipment, self._keeper):
            return
        setup = read_setup(settings.values)
        for view in (self._positions.built, self._sets.built, self._failsafe.built):
            if view is not None:
                view.show_setup(setup)
        self.findings.show_findings(check_flight_modes(settings.values, equipment))

    def _check_arming(self) -> None:
        aircraft = self._settings.aircraft
        if self._armed_by.has_changed(tuple(aircraft.stamp(name) for name in _ARMED_BY)):
            self.checklist.show_checklist(arming_checklist(aircraft.sample))

    def _unfold(self, widget: QWidget) -> None:
        parent = widget.parentWidget()
        while parent is not None and parent is not self:
            if isinstance(parent, CollapsibleGroup):
                parent.set_open(True)
            parent = parent.parentWidget()


def _guided(settings: Configuration, keeper: str) -> ObjectForm:
    form = ObjectForm(settings, keeper, _GUIDED)
    form.setContentsMargins(*FOLD_MARGINS)
    return form
