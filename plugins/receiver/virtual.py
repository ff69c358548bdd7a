"""Virtual transmitter to drag, for a simulated aircraft: its sticks travel as GCSReceiver."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QLabel, QSpinBox, QWidget

from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Vehicle
from widgets.collapsible import CollapsibleGroup
from widgets.forms.spin_boxes import indent_text
from widgets.parts import STRETCH, make_column, make_label, make_row
from widgets.transmitter_view import TransmitterView

_ABOUT = (
    "Drag the sticks; throttle stays where it is left. It sends while it is switched on and this "
    "page is in sight. The pilot's panel sends nothing meanwhile but an emergency stop, which "
    "switches it off."
)
TITLE = "The receiver page's virtual transmitter"
_MOST_POSITIONS = 6
_SCHEME = "sim:"


class VirtualTransmitter(QWidget):
    """Out of sight for everything but simulated aircraft."""

    def __init__(self, vehicle: Vehicle) -> None:
        super().__init__()
        self._vehicle = vehicle
        self._right = exclusive_of(vehicle)
        self._sticks = Sticks()
        self.on = QCheckBox("Transmit")
        self.on.toggled.connect(self._switch)
        self.position = QSpinBox()
        indent_text(self.position)
        self.position.setRange(1, _MOST_POSITIONS)
        self.position.setAccessibleName("Position of the flight mode switch")
        self.switch = QCheckBox("Arm switch")
        self.sticks = TransmitterView(
            ("Yaw", "Throttle"), ("Roll", "Pitch"), can_drag=True, stays=("Throttle",)
        )
        self.sticks.moved.connect(self._move)
        self.sticks.show_values({"Throttle": -1.0})
        self.about = make_label(_ABOUT, tone="muted", wraps=True)
        turning = make_row(QLabel("Flight mode switch"), self.position, STRETCH)
        switches = make_column(self.on, turning, self.switch, self.about, STRETCH)
        body = QWidget()
        body.setLayout(make_row(self.sticks, (switches, 1), margins=(12, 0, 0, 0), spacing=24))
        self.fold = CollapsibleGroup("Virtual transmitter", body, is_open=False)
        self.setLayout(make_column(self.fold))
        self.hide()

    def refresh(self) -> None:
        """Send where the sticks are, 20 times a second, while switched on."""
        link = self._vehicle.link
        is_simulated = link is not None and link.address.startswith(_SCHEME)
        self.setVisible(is_simulated)
        refusal = self._right.why_not(self)
        self.on.setEnabled(not refusal)
        self.about.setText(refusal or _ABOUT)
        if is_simulated and self.on.isChecked():
            position = self.position.value() - 1
            reading = replace(
                self._sticks, flight_mode_position=position, arm=self.switch.isChecked()
            )
            self._vehicle.commands.set_sticks(reading)

    def stop(self) -> None:
        """Switch it off; the aircraft's receiver failsafe acts."""
        self.on.setChecked(False)

    def _switch(self, is_on: bool) -> None:
        if is_on and self._right.why_not(self):
            self.on.setChecked(False)
        elif is_on:
            self._right.take(self, TITLE, self.stop)
        elif not self._right.why_not(self):
            self._vehicle.commands.set_sticks(None)
            self._right.free(self)

    def _move(self, name: str, value: float) -> None:
        if name == "Throttle":
            value = (value + 1.0) / 2.0
        elif name == "Pitch":
            value = -value  # the stick forward is nose down
        self._sticks = replace(self._sticks, **{name.lower(): value})  # type: ignore[arg-type]
