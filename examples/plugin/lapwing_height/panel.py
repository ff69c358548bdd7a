"""A panel: the height that the barometer measured, at the cursor."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from plugins.api import Json, VehicleContext, object_names


class HeightPanel(QLabel):
    """Shows metres, with as many decimals as the workspace remembers."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__(alignment=Qt.AlignmentFlag.AlignCenter)
        self._context = context
        self._decimals = 1

    def refresh(self, t: float) -> None:
        recording = self._context.recording
        names = object_names("BaroSensor")
        samples = [recording.latest(name, t) for name in names]
        heights = [f"{sample['Altitude']:.{self._decimals}f} m" for sample in samples if sample]
        self.setText(heights[0] if heights else "No barometer")

    def save_state(self) -> Json:
        return {"decimals": self._decimals}

    def restore_state(self, state: Json) -> None:
        decimals = state.get("decimals")
        self._decimals = decimals if isinstance(decimals, int) and 0 <= decimals <= 6 else 1
