"""Two panels: one needs an aircraft, the other does not."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget
from telemetry.flight_state import read_flight_state
from telemetry.timeline import format_time

from plugins.api import Json, PanelContext, VehicleContext, object_names
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Vehicle
from widgets.parts import make_column, make_label
from widgets.theme import Theme


def height_m(recording: Recording, t: float) -> float | None:
    samples = [recording.latest(name, t) for name in object_names("BaroSensor")]
    return next((float(sample["Altitude"]) for sample in samples if sample is not None), None)


class HeightPanel(QWidget):
    """Called with a VehicleContext."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._decimals = 1
        self.words = make_label()
        self.setLayout(make_column(self.words, margins=8))
        self.closed: list[str] = []
        context.on_close(lambda: self.closed.append("closed"))

    def refresh(self, t: float) -> None:
        vehicle: Vehicle = self._context.vehicle
        up = height_m(self._context.recording, t)
        words = "no height" if up is None else f"{up:.{self._decimals}f} m"
        mode = read_flight_state(vehicle.recording, t).flight_mode
        self.words.setText(f"{format_time(t)} {words} {mode}")

    def apply_theme(self, theme: Theme) -> None:
        palette = self.words.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme.color("text"))
        self.words.setPalette(palette)

    def save_state(self) -> Json:
        return {"decimals": self._decimals}

    def restore_state(self, state: Json) -> None:
        decimals = state.get("decimals")
        self._decimals = decimals if isinstance(decimals, int) and 0 <= decimals <= 6 else 1


class RulesPanel(QLabel):
    """Called with a PanelContext, also without an aircraft."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__("Never fly over people.")
        self._context = context

    def refresh(self, _t: float) -> None:
        vehicle = self._context.vehicle
        self.setToolTip(vehicle.name if vehicle is not None else "no aircraft")
