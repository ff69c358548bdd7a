"""Power step: GPS and battery."""

from PySide6.QtWidgets import QGridLayout, QLabel

from plugins.assistant.choice_list import Choice, ChoiceList
from plugins.assistant.parts import AssistantStepView, fill, heading, muted, number_box
from plugins.assistant.state import AssistantState
from telemetry.configuration.assistant.answers import NO_GPS
from telemetry.configuration.assistant.gps_and_battery import (
    MOST_CELLS,
    gps_ports,
    gps_protocols,
    telling,
)
from widgets.choices import make_choice
from widgets.labels import set_text

_GPS_ABOUT = {
    "UBX": "u-blox receivers; it is set up by the board itself.",
    "NMEA": "any receiver that speaks plain text.",
    "DJI": "receivers with built-in compass of that maker.",
}
_MOST_MAH = 100_000


class PowerStep(AssistantStepView):
    """What is carried to know place and charge."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(
            state, "With a GPS it can hold its position, come home and land by itself."
        )
        self.gps = ChoiceList("GPS receiver")
        self.gps.chosen.connect(self._take_gps)
        self.port = make_choice("Port of the GPS", act=lambda port: state.change(gps_port=port))
        self._port_title = QLabel("On the port")
        self.cells = number_box("Cells", 0, MOST_CELLS, lambda cells: state.change(cells=cells))
        self.cells.setSpecialValueText("not measured")
        self.capacity = number_box(
            "Capacity", 0, _MOST_MAH, lambda mah: state.change(capacity_mah=mah)
        )
        self.capacity.setSingleStep(100)
        self.capacity.setSuffix("\u202fmAh")
        grid = QGridLayout()
        grid.addWidget(self._port_title, 0, 0)
        grid.addWidget(self.port, 0, 1)
        grid.addWidget(heading("Battery"), 1, 0)
        grid.addWidget(QLabel("Cells in series"), 2, 0)
        grid.addWidget(self.cells, 2, 1)
        grid.addWidget(QLabel("Capacity"), 3, 0)
        grid.addWidget(self.capacity, 3, 1)
        grid.setColumnStretch(2, 1)
        self.told = muted()
        self.column.addWidget(self.told)
        self.column.addWidget(self.gps)
        self.column.addLayout(grid)
        self.column.addWidget(
            muted("A power module measures the battery; without one leave the cells out.")
        )

    def show_answers(self) -> None:
        """Show what is carried."""
        answers, aircraft = self.state.answers, self.state.aircraft
        set_text(self.told, telling(aircraft))
        self.told.setVisible(bool(self.told.text()))
        choices = [Choice(NO_GPS, "No GPS")]
        choices += [Choice(p, p, _GPS_ABOUT.get(p, "")) for p in gps_protocols(aircraft)]
        self.gps.show_choices(choices, answers.gps)
        fill(self.port, gps_ports(aircraft), answers.gps_port)
        has_port = answers.gps not in ("", NO_GPS) and bool(gps_ports(aircraft))
        self.port.setVisible(has_port)
        self._port_title.setVisible(has_port)
        for box, value in ((self.cells, answers.cells), (self.capacity, answers.capacity_mah)):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)
        self.capacity.setEnabled(bool(answers.cells))

    def _take_gps(self, protocol: str) -> None:
        self.state.change(gps=protocol)
        ports = self._free_ports()
        if protocol != NO_GPS and self.state.answers.gps_port not in ports and ports:
            self.state.change(gps_port=ports[-1])

    def _free_ports(self) -> list[str]:
        """Ports without the receiver: a GPS is usual on the last of them."""
        taken = self.state.answers.receiver.partition("@")[2]
        return [port for port in gps_ports(self.state.aircraft) if port != taken]
