"""Upload and download of the plan, with what is going on and why something is not."""

from dataclasses import replace

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from plugins.plan.shared_plan import SharedPlan
from telemetry.base.statement import Statement
from telemetry.missions.mission import Mission
from telemetry.vehicle.vehicle import Vehicle
from widgets.hold_button import HoldButton
from widgets.parts import STRETCH, make_button, make_column, make_row
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme

_ALWAYS = float("inf")
_ROW_PX = 32
_LINE_SPARE_PX = 2


class BoardBar(QWidget):
    """Upload, Download, Compare. While the aircraft is armed, *Upload* has to be held."""

    def __init__(self, plan: SharedPlan) -> None:
        super().__init__()
        self._plan = plan
        self.upload = make_button("Upload", self._upload, role="primary")
        self.held_upload = HoldButton("Hold to upload", "caution")
        self.held_upload.held.connect(self._upload)
        self.held_upload.setToolTip("The aircraft is armed: hold it.")
        self.download = make_button("Download", self._download)
        self.compare = make_button("Compare", self._compare)
        self.compare.setToolTip("Read the plan on board and list what differs from this one.")
        self.fly = make_button("Fly it in the simulator", plan.fly)
        self.status = FittedStateLabel(calm="muted")
        buttons = (self.upload, self.held_upload, self.download, self.compare, self.fly)
        for button in buttons:
            button.setMinimumHeight(_ROW_PX)
        row = make_row(*buttons[:-1], STRETCH, self.fly, margins=(8, 4, 8, 0), spacing=6)
        self.setLayout(make_column(row, self.status, spacing=2))
        self.status.setContentsMargins(10, 0, 8, 0)

    def apply_theme(self, theme: Theme) -> None:
        """Keep a line for what is said: what stands below it never moves."""
        line_px = QFontMetrics(theme.font("body")).lineSpacing()
        self.status.setFixedHeight(line_px + _LINE_SPARE_PX)

    def take(self) -> None:
        """Show what can be done now."""
        plan = self._plan
        is_armed = _is_armed(plan.vehicle)
        self.upload.setVisible(not is_armed)
        self.held_upload.setVisible(is_armed)
        refusal = plan.why_not_upload()
        for button in (self.upload, self.held_upload):
            button.setEnabled(not refusal)
            button.setToolTip(refusal)
        reading = plan.carrying.why_not(plan.vehicle)
        for button in (self.download, self.compare):
            button.setEnabled(not reading)
        why_not_fly = plan.why_not_fly()
        self.fly.setEnabled(not why_not_fly)
        self.fly.setToolTip(why_not_fly or "With the aircraft and the wind of Simulation.")
        self.status.state(self._statement(refusal))

    def _statement(self, refusal: str) -> Statement | None:
        """What is carried; else why it failed, why nothing can be sent, or what is on board."""
        plan, known, mission = self._plan, self._plan.known, self._plan.draft.mission
        progress = plan.carrying.progress
        if progress is not None or known is None:
            return progress or Statement(refusal)
        told = known.problem(mission) or known.statement(mission, plan.ground)
        if told is None:
            return Statement(refusal, plan.vehicle.name if plan.vehicle is not None else "")
        return replace(told, text=f"{refusal} {told.text}".lstrip())

    def _upload(self) -> None:
        self._plan.upload_when_checked()
        self.take()

    def _download(self) -> None:
        plan = self._plan
        if plan.vehicle is None:
            return
        name = plan.vehicle.name

        def take(mission: Mission) -> None:
            if mission.waypoints:
                plan.draft.open(f"Download from {name}", mission)

        plan.carrying.download(plan.vehicle, plan.draft.mission, take)
        self.take()

    def _compare(self) -> None:
        self._plan.compare()
        self.take()


def _is_armed(vehicle: Vehicle | None) -> bool:
    status = vehicle.recording.latest("FlightStatus", _ALWAYS) if vehicle else None
    return status is not None and status["Armed"] != "Disarmed"
