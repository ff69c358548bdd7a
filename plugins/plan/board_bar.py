"""Upload and download of the plan, with what is going on and why something is not."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtWidgets import QStackedWidget, QWidget

from plugins.plan.shared_plan import SharedPlan
from telemetry.base.statement import Statement
from telemetry.missions.mission import Mission
from telemetry.vehicle.vehicle import Vehicle
from widgets.hold_button import HoldButton
from widgets.parts import make_button, make_column, make_row
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme

_ALWAYS = float("inf")
_WAITS = "The plan is sent once it is checked."
_HELD_TIP = "The aircraft is armed: hold it."


class BoardBar(QWidget):
    """Upload, fly, download and what `others` stand beside them; below, one line that is always
    there, with `last` at its end. While the aircraft is armed, *Upload* has to be held. `resting`
    gets the focus of a button that can be pressed no more."""

    def __init__(
        self,
        plan: SharedPlan,
        resting: QWidget,
        others: Sequence[QWidget] = (),
        last: Sequence[QWidget] = (),
    ) -> None:
        super().__init__()
        self._plan, self._resting = plan, resting
        self.upload = make_button("Upload", self._upload, role="primary")
        self.held_upload = HoldButton("Upload", "caution")
        self.held_upload.held.connect(self._upload)
        self._uploads = QStackedWidget()
        for button in (self.upload, self.held_upload):
            self._uploads.addWidget(button)
        self.fly = make_button("Fly it here", plan.fly)
        self.download = make_button("Download", self._download)
        for button in (self.upload, self.held_upload, self.fly, self.download):
            button.setProperty("tight", True)
        self.status = FittedStateLabel(calm="muted")
        row = make_row(
            (self._uploads, 1), (self.fly, 1), (self.download, 1), *others,
            margins=(8, 4, 8, 0), spacing=4,
        )  # fmt: skip
        line = make_row((self.status, 1), *last, margins=(8, 0, 8, 0), spacing=4)
        self.setLayout(make_column(row, line, spacing=4))

    def apply_theme(self, theme: Theme) -> None:
        """Keep a line for what is said: what stands below it never moves."""
        self.status.keep_lines(1, theme)
        self._uploads.setFixedHeight(self.download.sizeHint().height())

    def take(self) -> None:
        """Show what can be done now."""
        plan = self._plan
        is_armed = _is_armed(plan.vehicle)
        self._uploads.setCurrentWidget(self.held_upload if is_armed else self.upload)
        refusal = plan.why_not_upload()
        for button in (self.upload, self.held_upload):
            self._enable(button, not refusal)
            button.setToolTip(refusal)
        if is_armed and not refusal:
            self.held_upload.setToolTip(_HELD_TIP)
        self._enable(self.download, not self.why_not_read())
        why_not_fly = plan.why_not_fly()
        self._enable(self.fly, not why_not_fly)
        self.fly.setToolTip(
            why_not_fly or "In the simulator, with the aircraft and the wind of Simulation."
        )
        self.status.state(self._statement(refusal or plan.refused_upload))

    def _enable(self, button: QWidget, is_enabled: bool) -> None:
        """Qt would hand the focus to the next button, where Space would press that."""
        if not is_enabled and self.window().focusWidget() is button:
            self._resting.setFocus()
        button.setEnabled(is_enabled)

    def why_not_read(self) -> str:
        """Why the plan on board cannot be read now; empty if it can."""
        return self._plan.carrying.why_not(self._plan.vehicle)

    def compare(self) -> None:
        """Have the plan on board read and list what differs from this one, if it can be."""
        if not self.why_not_read():
            self._plan.compare()
        self.take()

    def _statement(self, refusal: str) -> Statement | None:
        """What is carried; else why it failed, why nothing can be sent, or what is on board."""
        plan, known, mission = self._plan, self._plan.known, self._plan.draft.mission
        progress = plan.carrying.progress
        if plan.is_waiting_to_upload:
            progress = Statement(_WAITS, ends="it has been checked")
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


def _is_armed(vehicle: Vehicle | None) -> bool:
    status = vehicle.recording.latest("FlightStatus", _ALWAYS) if vehicle else None
    return status is not None and status["Armed"] != "Disarmed"
