"""Outputs page: banks, pulses, what does not fit, and the motor test."""

from collections.abc import Iterator

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from plugins.api import PageContext
from plugins.outputs.bank_table import BankTable
from plugins.outputs.esc_calibration_view import EscCalibrationView
from plugins.outputs.motor_test_card import TestCard
from plugins.outputs.order_view import OrderView
from plugins.outputs.output_table import OutputTable
from telemetry.configuration.actuator_test.prerequisites import COMMAND
from telemetry.configuration.actuator_test.state_machine import Phase, actuator_test_of
from telemetry.configuration.outputs.check import check_outputs
from telemetry.configuration.outputs.current_outputs import outputs_shown, stamp_of
from telemetry.configuration.outputs.output import Output
from telemetry.vehicle.update_rates import UpdateRates
from widgets.change_detector import ChangeDetector
from widgets.labels import show_text
from widgets.parts import PAGE_MARGINS, STRETCH, make_column, make_heading, make_label
from widgets.settings.editor import SettingEditor
from widgets.settings.findings import FindingsView
from widgets.settings.form import ObjectForm, reveal

_PULSES_MS = 100
_ACTUATORS, _MODES = "ActuatorSettings", "FlightModeSettings"
_HABITS = ("MotorsSpinWhileArmed", "LowThrottleZeroAxis")
_STABILIZE = ("AlwaysStabilizeWhenArmedSwitch", "AlwaysStabilizeWhenArmedThrottleThreshold")
_SO = ", so its outputs cannot be set up here"
_LEFT = "The page was left, so the board has its outputs again."


class OutputsPage(QWidget):
    """Outputs of one aircraft. Hiding it ends the motor test, whatever it is at."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings, vehicle = context.configuration, context.vehicle
        self._settings = settings
        self._seen = ChangeDetector()
        self._outputs: tuple[Output, ...] = ()
        self._rates = UpdateRates(vehicle.commands)
        self.test = actuator_test_of(vehicle)
        self.missing = make_label(tone="muted", wraps=True)
        self.findings = FindingsView()
        self.banks = BankTable(settings)
        self.table = OutputTable(settings, context.theme)
        self.card = TestCard(self.test, self)
        self.order = OrderView(settings)
        self.calibration = EscCalibrationView(self.test, self)
        self.habits = ObjectForm(settings, _ACTUATORS, _HABITS)
        self.stabilize = ObjectForm(settings, _MODES, _STABILIZE)
        for held in (self.card.hold, self.order):
            held.begun.connect(self._hold)
            held.ended.connect(self._release)
        self.card.order_wanted.connect(self.order.start)
        self.card.calibration_wanted.connect(self.calibration.start)
        parts = (self.missing, self.findings, make_heading("Outputs"), self.table)
        test = (
            self.card,
            self.order,
            self.calibration,
            make_heading("Rates and protocols"),
            self.banks,
        )
        habits = (make_heading("While armed"), self.habits, self.stabilize)
        all_parts = (*parts, *test, *habits, STRETCH)
        self.setLayout(make_column(*all_parts, margins=PAGE_MARGINS, spacing=8))
        context.on_close(self._leave)

    def build(self) -> Iterator[None]:
        """The rows of outputs one by one, then the other parts."""
        yield from self.table.build(outputs_shown(self._settings))
        for part in (self.banks, self.habits, self.stabilize, self.card):
            part.refresh()
            yield

    def refresh(self, t: float) -> None:
        """Follow the aircraft, what is staged, and the test."""
        self.test.poll()
        self._rates.want({COMMAND: _PULSES_MS}, t)
        if self._seen.has_changed(
            stamp_of(self._settings), self._config_alarm(), self._settings.aircraft.is_complete
        ):
            self._show_settings()
        self.table.show_pulses()
        for part in (self.banks, self.habits, self.stabilize, self.card):
            part.refresh()
        self._show_test()

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view."""
        self.refresh(0.0)
        editor: SettingEditor | None = self.banks.editors.get(path)
        editor = editor or self.table.show_setting(path) or self.habits.editors.get(path)
        if name == _MODES:
            editor = self.stabilize.editors.get(path)
        if editor is not None:
            reveal(editor)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._leave()

    def _leave(self) -> None:
        self.test.end(self, _LEFT)
        self._rates.restore()

    def _show_settings(self) -> None:
        settings = self._settings
        self._outputs = outputs_shown(settings)
        self.table.show_outputs(self._outputs)
        self.card.hold.show_outputs(self._outputs)
        self.findings.show_findings(check_outputs(self._outputs, self._config_alarm()))
        is_known = settings.has(_ACTUATORS)
        text = "" if is_known else settings.aircraft.why_absent(_ACTUATORS, _SO)
        show_text(self.missing, text)

    def _show_test(self) -> None:
        is_mine = self.test.is_owned_by(self)
        can_press = self.test.phase in (Phase.READY, Phase.SPINNING, Phase.STOPPING)
        self.order.let_test(is_mine and can_press)
        self.calibration.refresh()
        if is_mine and not self.test.spinning:
            self._let_go("")
        elif not is_mine:
            self.order.close_view()
            self.calibration.close_view()

    def _hold(self, number: int) -> None:
        self.test.hold(self, number, self.card.share)
        self.card.refresh()

    def _release(self, why: str) -> None:
        self.test.release(self, why)
        self.card.refresh()

    def _let_go(self, why: str) -> None:
        """The test has stopped by itself: the button must be pressed anew."""
        self.card.hold.let_go(why)
        self.order.spin.let_go(why)

    def _config_alarm(self) -> str:
        alarms = self._settings.aircraft.sample("SystemAlarms")
        path = "ExtendedAlarmStatus"
        if alarms is None or not alarms.definition.has_field(path):
            return ""
        return str(alarms[f"{path}.SystemConfiguration"])
