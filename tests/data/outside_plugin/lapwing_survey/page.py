"""A page of the Configure view."""

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from plugins.api import PageContext
from telemetry.configuration.settings.configuration import Configuration
from widgets.parts import make_button, make_column, make_label

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


class CardPage(QWidget):
    """Shows a gain, and stages another one."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.settings: Configuration = context.configuration
        self.gain = make_label()
        self.calm = make_button("Survey calmly", self._calm)

    def build(self) -> Iterator[None]:
        yield
        self.setLayout(make_column(self.gain, self.calm, margins=8))

    def refresh(self, _t: float) -> None:
        is_there = self.settings.has(BANK)
        self.gain.setText(f"{self.settings.value(BANK, GAIN):.4f}" if is_there else "no gain")

    def incomplete(self) -> str:
        return ""

    def _calm(self) -> None:
        self.settings.stage(BANK, GAIN, 0.001)
