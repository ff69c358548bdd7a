"""Summary step: everything that would change, how it is wired, and the one button that does it."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLabel

from plugins.assistant.parts import AssistantStepView, heading, muted
from plugins.assistant.state import AssistantState
from plugins.assistant.wiring_view import WiringView
from telemetry.configuration.assistant.proposal import differences
from telemetry.configuration.assistant.wiring import wiring_of
from telemetry.configuration.settings.transfer import Transfer
from widgets.labels import show_text
from widgets.parts import STRETCH, make_button, make_label, make_row
from widgets.settings.difference_table import DifferenceTable
from widgets.settings.findings import FindingsView

TITLE = "Set-up assistant"
_FILTER = "Pictures (*.png *.svg)"
_TABLE_PX = 230


class SummaryStep(AssistantStepView):
    """Differences with a tick per row, the wiring picture, and what became of it."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(
            state,
            "This is what would change on board. Nothing has been sent. Accepting writes it and "
            "keeps it on board in one go; Undo takes all of it back.",
        )
        self._transfer: Transfer | None = None
        self._shown: object = None
        self.findings = FindingsView(state.context.show_setting)
        self.left_out = muted()
        self.table = DifferenceTable()
        self.table.setMinimumHeight(_TABLE_PX)
        self.table.ticked_changed.connect(self._enable)
        self.wiring = WiringView()
        self.accept = make_button("Accept and save on board", self._accept, "primary")
        self.undo = make_button("Undo all of it", state.settings.undo)
        self.outcome = make_label(wraps=True)
        self.after = QLabel(
            "Ports and modules take effect when the board restarts. Then calibrate what is still "
            "needed, and check motors and sticks, propellers off."
        )
        self.after.setWordWrap(True)
        self.save_picture = make_button("Save picture…", self._ask_picture)
        self._pages = {
            "system": make_button("Restart the board", lambda: self._go("system")),
            "calibration": make_button("Calibrate", lambda: self._go("calibration")),
            "outputs": make_button("Test the motors", lambda: self._go("outputs")),
            "receiver": make_button("Check the sticks", lambda: self._go("receiver")),
        }
        self._lay_out()

    def show_answers(self) -> None:
        """Show differences, findings and how the transfer goes."""
        state = self.state
        plan = state.plan
        if self._shown is not plan:
            self._shown = plan
            self.table.show_difference(differences(plan, state.aircraft), "On board", "New")
            self.findings.show_findings(plan.findings)
            show_text(self.left_out, " ".join(plan.left_out))
            self.wiring.show_wiring(wiring_of(state.answers, state.aircraft))
        self._show_outcome()
        self._enable()

    def save_to(self, path: Path) -> None:
        """Write the wiring picture."""
        if not path.suffix:
            path = path.with_suffix(".png")
        self.state.context.show_message(self.wiring.save(path) or f"Written: {path.name}.")

    def _lay_out(self) -> None:
        buttons = make_row(self.accept, self.undo, STRETCH)
        links = make_row(*self._pages.values(), STRETCH)
        picture = make_row((heading("Wiring"), 1), self.save_picture)
        self.column.addWidget(self.findings)
        self.column.addWidget(self.table)
        self.column.addWidget(self.left_out)
        self.column.addLayout(buttons)
        self.column.addWidget(self.outcome)
        self.column.addWidget(self.after)
        self.column.addLayout(links)
        self.column.addLayout(picture)
        self.column.addWidget(self.wiring)

    def _accept(self) -> None:
        """Stage what is ticked and send it, and nothing else that waits in the drawer."""
        settings, plan = self.state.settings, self.state.plan
        if self.state.refusal or settings.is_busy:
            return
        chosen = self.table.ticked()
        for (name, instance), path in chosen:
            settings.stage(name, path, plan.values[name][path], instance)
        only = [(name, instance, path) for (name, instance), path in chosen]
        self._transfer = settings.apply(TITLE, save=True, only=only)
        self.state.finish()
        self.show_answers()

    def _enable(self) -> None:
        state, settings = self.state, self.state.settings
        count = len(self.table.ticked())
        self.accept.setEnabled(bool(count) and not state.refusal and not settings.is_busy)
        self.accept.setToolTip(state.refusal)
        last = settings.history.undo_next
        is_ours = last is not None and last.title == TITLE
        self.undo.setVisible(is_ours)
        self.undo.setEnabled(is_ours and not state.refusal and not settings.is_busy)
        is_done = is_ours and self._transfer is not None
        self.after.setVisible(is_done)
        for plugin_id, button in self._pages.items():
            button.setVisible(is_done and bool(state.page(plugin_id)))

    def _show_outcome(self) -> None:
        transfer = self._transfer
        if transfer is None:
            plan_is_done = self.table.topLevelItemCount() == 0
            text = "All of this is on board already." if plan_is_done else ""
        elif not transfer.is_finished:
            text = f"Sending: {transfer.done} of {len(transfer.items)} objects done."
        else:
            waiting = [doubt.name for doubt in self.state.settings.doubts()]
            text = _report(transfer, waiting)
        show_text(self.outcome, text)

    def _go(self, plugin_id: str) -> None:
        self.state.context.show_page(self.state.page(plugin_id))

    def _ask_picture(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the wiring picture", "wiring", _FILTER)
        if name:
            self.save_to(Path(name))


def _report(transfer: Transfer, waiting: Sequence[str]) -> str:
    """What became of each object, the troubles first, and what waits for a yes."""
    troubles = [item for item in transfer.items if item.reason]
    lines = [f"✖ {item.edit.name}: {item.outcome.value}. {item.reason}" for item in troubles]
    fine = [item.edit.name for item in transfer.items if item not in troubles]
    if fine:
        lines.append(f"✔ On board, read back and saved: {', '.join(fine)}.")
    if waiting:
        lines.append(f"✖ Not sent before you say so below: {', '.join(waiting)}.")
    return "\n".join(lines)
