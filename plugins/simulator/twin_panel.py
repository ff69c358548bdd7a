"""Digital twin panel: starts an aircraft's simulated twin and shows how far they are apart."""

from itertools import count

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.simulator.link import simulated_aircraft
from plugins.simulator.twin import CANNOT_FOLLOW, LOG_NAME, Twin, TwinStage, TwinStatus
from plugins.simulator.twin_comparison import TwinDifference
from telemetry.vehicle.vehicle import LinkState, Vehicle
from widgets.choices import make_choice
from widgets.parts import STRETCH, make_button, make_column, make_label
from widgets.wrapped_row import WrappedRow

_POLL_MS = 100
_NO_REAL = "Choose a connected aircraft; its twin is a simulated one with its settings."
_UNKNOWN = "–"


class TwinPanel(QWidget):
    """The panel "simulator.twin": one twin, which follows until *Stop*, whatever is active."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self.twin: Twin | None = None
        offered = [(it.title, it.address) for it in simulated_aircraft() if "?" not in it.address]
        self._aircraft = make_choice("Simulated aircraft", offered)
        title = "Start its simulated twin"
        self._start = make_button(title, self._begin, "primary", CANNOT_FOLLOW)
        self._stop = make_button("Stop following", self._end)
        self._said = make_label(wraps=True)
        self._figures = make_label(wraps=True)
        self._limits = make_label(CANNOT_FOLLOW, tone="muted", size="small", wraps=True)
        row = WrappedRow(self._aircraft, self._start, self._stop)
        labels = (self._said, self._figures, self._limits)
        self.setLayout(make_column(row, *labels, STRETCH, margins=8, spacing=8))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._poll)
        context.on_close(self._end)

    def refresh(self, _t: float) -> None:
        """Show what can be started, how far it is, and the difference."""
        twin, vehicle = self.twin, self._context.vehicle
        can_start = twin is None and _is_connected(vehicle)
        self._start.setEnabled(can_start)
        self._aircraft.setEnabled(can_start)
        self._stop.setEnabled(twin is not None)
        if twin is None:
            self._said.setText(f"Twin of {vehicle.name}." if vehicle and can_start else _NO_REAL)
            self._figures.setText("")
            self._limits.show()
            return
        self._said.setText(_sentence(twin))
        difference = twin.status.difference
        self._figures.setText("" if difference is None else _figures(difference))
        self._limits.setVisible(difference is None)

    def _begin(self) -> None:
        real = self._context.vehicle
        if real is None or not _is_connected(real):
            return
        twin = self._context.connect(self._unused_address())
        if twin is not None and twin is not real:
            self.twin = Twin(real, twin)
            self._timer.start(_POLL_MS)

    def _unused_address(self) -> str:
        """A connection to an address in use would be that aircraft, and no twin."""
        names = {vehicle.name for vehicle in self._context.fleet.vehicles}
        address = f"{self._aircraft.currentData()}#twin"
        others = (f"{address}-{number}" for number in count(2))
        return address if address not in names else next(a for a in others if a not in names)

    def _end(self) -> None:
        self._timer.stop()
        if self.twin is not None:
            self.twin.end()
        self.twin = None

    def _poll(self) -> None:
        twin = self.twin
        if twin is None:
            return
        vehicles = self._context.fleet.vehicles
        if twin.real not in vehicles or twin.twin not in vehicles:
            self._end()
            return
        twin.poll()
        if twin.status.stage is TwinStage.ENDED:
            self._end()


def _is_connected(vehicle: Vehicle | None) -> bool:
    return vehicle is not None and vehicle.status.state is LinkState.CONNECTED


def _sentence(twin: Twin) -> str:
    status: TwinStatus = twin.status
    words = [f"{twin.twin.name}, twin of {twin.real.name}.", status.stage.value, status.told]
    if status.lag_s is not None:
        words.append(f"The sticks it has are {status.lag_s * 1000:.0f} ms old.")
    if status.stage is TwinStage.FOLLOWING:
        words.append(
            f"In a plot's menu, “Compare with” {LOG_NAME} shows both, “Difference from” it how far "
            "they are apart."
        )
    return " ".join(word for word in words if word)


def _figures(difference: TwinDifference) -> str:
    def number(value: float | None, unit: str) -> str:
        return _UNKNOWN if value is None else f"{value:+.1f}\u2009{unit}"

    moved = difference.moved_m or (None, None, None)
    rates = difference.rates_dps or (None, None, None)
    lines = (
        ("Attitude", ("roll", "pitch", "yaw"), _angles(difference), "°"),
        ("Moved farther", ("north", "east", "up"), moved, "m"),
        ("Rates", ("roll", "pitch", "yaw"), rates, "°/s"),
    )
    return "Twin less aircraft\n" + "\n".join(
        f"{title}: " + ", ".join(f"{n} {number(v, u)}" for n, v in zip(names, values, strict=True))
        for title, names, values, u in lines
    )


def _angles(difference: TwinDifference) -> tuple[float | None, float | None, float | None]:
    return difference.roll_deg, difference.pitch_deg, difference.yaw_deg
