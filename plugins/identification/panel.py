"""Identification panel: what a log tells of the aircraft, and gains that suit it, as two tabs."""

from PySide6.QtWidgets import QTabWidget, QWidget

from plugins.api import Json, VehicleContext
from plugins.identification.identify_view import IdentifyView
from plugins.identification.tune_view import TuneView
from widgets.parts import make_column


class IdentificationPanel(QWidget):
    """The panel "identification.identify". Fitting and searching happen in processes of their own;
    closing the panel ends them."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self.identify, self.tune = IdentifyView(context), TuneView(context)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.identify, "Identify")
        self.tabs.addTab(self.tune, "Tune")
        self.setLayout(make_column(self.tabs))
        self.identify.reported.connect(self._hand_on)
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Follow both commands."""
        self.identify.refresh(t)
        self.tune.refresh()

    def save_state(self) -> Json:
        """What is asked for in either."""
        return {"identify": self.identify.save_state(), "tune": self.tune.save_state()}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        for name, view in (("identify", self.identify), ("tune", self.tune)):
            part = state.get(name)
            if isinstance(part, dict):
                view.restore_state(part)

    def _hand_on(self) -> None:
        if self.identify.report is not None:
            self.tune.take_identified(self.identify.report, self.identify.log)
