"""Receiver page: live controls, their channels, and the set-up that measures them."""

from collections.abc import Iterator

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from plugins.api import PageContext
from plugins.receiver.control_table import ControlTable
from plugins.receiver.setup_view import SetupView
from plugins.receiver.virtual import VirtualTransmitter
from telemetry.configuration.receiver.check import (
    check_channels,
    check_controls,
    is_ground_vehicle,
    thrust_control,
)
from telemetry.configuration.receiver.controls import COMMAND, SETTINGS, Control, read_controls
from telemetry.configuration.receiver.state_machine import ReceiverSetupStep, receiver_setup_of
from telemetry.vehicle.update_rates import UpdateRates
from widgets.change_detector import ChangeDetector
from widgets.labels import show_text
from widgets.parts import PAGE_MARGINS, STRETCH, make_column, make_heading, make_label
from widgets.settings.findings import FindingsView
from widgets.settings.form import ObjectForm, reveal

_PULSES_MS = 80
_MORE = ("FlightModeNumber", "Deadband", "DeadbandAssistedControl")
_OLD = (
    "This firmware keeps its channels in a way of its own: set them up in All settings, under "
    "ManualControlSettings."
)
_SO = ", so its receiver cannot be set up here"


class ReceiverPage(QWidget):
    """Receiver and sticks of one aircraft."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings, vehicle = context.configuration, context.vehicle
        self._settings = settings
        self._seen = ChangeDetector()
        self._controls: tuple[Control, ...] = ()
        self._rates = UpdateRates(vehicle.commands)
        self.setup = receiver_setup_of(vehicle)
        self.missing = make_label(tone="muted")
        self.findings = FindingsView(context.show_setting)
        self.table = ControlTable(settings, context.theme)
        self.view = SetupView(self.setup, settings, context.theme)
        self.virtual = VirtualTransmitter(vehicle)
        self.more = ObjectForm(settings, SETTINGS, _MORE)
        setting_up = (self.missing, self.findings, self.view, self.virtual)
        parts = (*setting_up, make_heading("Controls"), self.table, self.more, STRETCH)
        self.setLayout(make_column(*parts, margins=PAGE_MARGINS, spacing=8))
        context.on_close(self._leave)

    def build(self) -> Iterator[None]:
        """The rows of controls one by one, then the other parts."""
        yield from self.table.build()
        for part in (self.view, self.virtual, self.more):
            part.refresh()
            yield

    def refresh(self, t: float) -> None:
        """Follow the aircraft, what is staged, and the set-up."""
        self.setup.poll()
        self._rates.want({COMMAND: _PULSES_MS}, t)
        settings = self._settings
        names = (SETTINGS, "SystemSettings")
        stamps = tuple(settings.aircraft.stamp(name) for name in names)
        is_free = self.setup.step is ReceiverSetupStep.OFF
        if self._seen.has_changed(
            settings.version, settings.aircraft.is_complete, settings.refusal, stamps, is_free
        ):
            self._show_settings()
        self.table.show_pulses(self._controls)
        self.view.refresh()
        self.virtual.refresh()
        self.more.refresh()

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view."""
        self.refresh(0.0)
        editor = self.table.editor(path) or self.more.editors.get(path)
        if editor is not None:
            reveal(editor)

    def incomplete(self) -> str:
        """What is left to do here."""
        if self.setup.step is not ReceiverSetupStep.OFF:
            return "The receiver set-up is under way, and the aircraft cannot be armed."
        return ""

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._rates.restore()
        self.virtual.stop()

    def _leave(self) -> None:
        self._rates.restore()
        self.virtual.stop()
        self.setup.leave()

    def _show_settings(self) -> None:
        settings = self._settings
        self._controls = read_controls(settings.definition(SETTINGS), settings.values(SETTINGS))
        self.table.refresh(self._controls)
        missing = check_channels(settings.values)
        is_ground = is_ground_vehicle(settings.values)
        found = check_controls(self._controls, is_ground, thrust_control(settings.values))
        found = found if missing is None else (missing, *found)
        is_free = (
            self.setup.step is ReceiverSetupStep.OFF
        )  # what a set-up tries is not meant to stay
        self.findings.show_findings(found if is_free else ())
        text = "" if self._controls else self._why_no_controls()
        show_text(self.missing, text)

    def _why_no_controls(self) -> str:
        if self._settings.has(SETTINGS):
            return _OLD
        return self._settings.aircraft.why_absent(SETTINGS, _SO)
