"""ESC calibration: teaches speed controllers their range, full power when plugged in, then none."""

from PySide6.QtWidgets import QCheckBox, QFrame

from telemetry.configuration.actuator_test.state_machine import ActuatorTest, Phase
from widgets.hold_button import HoldButton
from widgets.parts import STRETCH, make_button, make_column, make_heading, make_label, make_row

_ABOUT = (
    "For speed controllers that learn the range of their pulses (PWM, OneShot, MultiShot). The "
    "propellers are off. The board runs from USB and the battery is not connected: it is plugged "
    "in while all motors are told to give full power. A controller that does not learn then turns "
    "its motor at full power at once, so keep clear and the plug within reach."
)
_UNPLUGGED = "The battery is unplugged from all speed controllers"
_LOWERED = "All motors are told to rest. Wait for the last beeps, then unplug the battery."


class EscCalibrationView(QFrame):
    """Out of sight until it is started, within a motor test of `owner`."""

    def __init__(self, test: ActuatorTest, owner: object) -> None:
        super().__init__()
        self._test, self._owner = test, owner
        self.setProperty("card", "plain")
        self.unplugged = QCheckBox(_UNPLUGGED)
        self.unplugged.toggled.connect(lambda _is_on: self.refresh())
        self.words = make_label(wraps=True)
        self.raise_all = HoldButton("Hold: full power to all motors", "danger")
        self.raise_all.held.connect(self._raise)
        self.lower_all = make_button("Lower all motors", self._lower, "primary")
        self.leave = make_button("Close", self.close_view)
        parts = (
            make_heading("Calibrate speed controllers"),
            make_label(_ABOUT, tone="muted", wraps=True),
            self.unplugged,
            self.words,
            make_row(self.raise_all, self.lower_all, STRETCH, self.leave),
        )
        self.setLayout(make_column(*parts, margins=(12, 8, 12, 8), spacing=4))
        self.hide()

    def start(self) -> None:
        """Begin anew, with nothing confirmed."""
        self.unplugged.setChecked(False)
        self.words.setText("")
        self.show()
        self.refresh()

    def close_view(self) -> None:
        """Lower the motors and leave. Closing twice is fine."""
        if self._test.phase is Phase.RAISED:
            self._lower()
        self.hide()

    def refresh(self) -> None:
        """Show how it stands."""
        if not self.isVisible():
            return
        is_raised = self._test.phase is Phase.RAISED
        is_ready = self._test.is_owned_by(self._owner) and self._test.phase is Phase.READY
        self.unplugged.setEnabled(not is_raised)
        self.raise_all.setVisible(not is_raised)
        self.raise_all.setEnabled(is_ready and self.unplugged.isChecked())
        self.lower_all.setVisible(is_raised)
        if is_raised:
            self.words.setText(f"{self._test.message} {self._test.left_s:.0f} s left.")

    def _raise(self) -> None:
        if not self._test.raise_motors(self._owner):
            self.words.setText(self._test.message)
        self.refresh()

    def _lower(self) -> None:
        self._test.release(self._owner, _LOWERED)
        self.unplugged.setChecked(False)
        self.words.setText(_LOWERED)
        self.refresh()
