"""Pre-flight checklist: *Ready* or *Not ready*, with every cause and what to do about it."""

from functools import partial

from PySide6.QtWidgets import QCheckBox, QFrame, QPlainTextEdit, QWidget

from plugins.api import PanelContext
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.configuration.arming.checklist import Checklist
from telemetry.configuration.arming.preflight import BY_HAND, Preflight, preflight_of
from telemetry.configuration.flight_modes.failsafe_text import POSITION, RECEIVER, FailsafeOffer
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.vehicle import Vehicle
from widgets.change_detector import ChangeDetector
from widgets.checklist_view import ChecklistView
from widgets.parts import (
    clear_layout,
    make_button,
    make_column,
    make_label,
    make_row,
    make_scrolled,
)
from widgets.state_label import StateLabel

_EDIT_HELP = "One item a line. They belong to this aircraft."


class ChecklistPanel(QWidget):
    """Shows the checklist of the vehicle shown, and takes what was looked at by hand."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._vehicle: Vehicle | None = None
        self._preflight: Preflight | None = None
        self._shown = ChangeDetector()
        self._view = ChecklistView(context.show_setting)
        self._view.summary.hide()
        self._summary = StateLabel(size="title", wraps=True, keeps_room=True, calm="")
        self._boxes: dict[str, QCheckBox] = {}
        self._hand = make_column(margins=None, spacing=2)
        self._change = make_button("Edit the list", self._begin_editing)
        self._offers = make_row(margins=None)
        self._offered = ChangeDetector()
        self._editor = QPlainTextEdit()
        self._editor.setAccessibleName("What is looked at by hand, one item a line")
        self._editor.setProperty("keepsLetters", True)
        self._editor.setMinimumHeight(90)
        self._editing = self._make_editing()
        self._lay_out()

    def refresh(self, _t: float) -> None:
        """Show what is so now."""
        vehicle = self._context.vehicle
        if vehicle is not self._vehicle:
            self._vehicle = vehicle
            self._preflight = preflight_of(vehicle) if vehicle is not None else None
            self._end_editing()
        if vehicle is None or not vehicle.is_live or self._preflight is None:
            self._show_nothing("No aircraft to fly. Connect to one, or to the simulator.")
            return
        self._show(self._preflight, self._preflight.look())

    def _show(self, preflight: Preflight, checklist: Checklist) -> None:
        self._change.setVisible(self._editing.isHidden())
        told = tuple(check for check in checklist.checks if not check.code.startswith(BY_HAND))
        self._say(preflight, checklist)
        self._view.show_checklist(Checklist(told, "", is_armed=checklist.is_armed))
        self._offer(() if checklist.is_armed else preflight.failsafe_offers())
        if self._shown.has_changed(preflight.items):
            self._build(preflight)
        for item, box in self._boxes.items():
            box.setChecked(item in preflight.ticked)
            box.setEnabled(not checklist.is_armed)

    def _say(self, preflight: Preflight, checklist: Checklist) -> None:
        """*Ready*, or everything that is missing."""
        blocking = checklist.blocking
        missing = [check.title for check in blocking if not check.code.startswith(BY_HAND)]
        by_hand = len(blocking) - len(missing)
        missing += [f"{by_hand} to look at by hand"] if by_hand else []
        is_missing = bool(missing) and not checklist.is_armed
        summary = f"Not ready: {', '.join(missing)}" if is_missing else checklist.summary
        vehicle, level = self._vehicle, Level.WARNING if is_missing else Level.INFO
        if vehicle is not None:
            version = (vehicle.link_losses, preflight.items, preflight.ticked)
            ends = "a check changes"
            said = Statement(summary, vehicle.name, version, vehicle.end_s, ends, level)
            self._summary.state(said)

    def _offer(self, offers: tuple[FailsafeOffer, ...]) -> None:
        """Have a failsafe staged that comes home or lands."""
        settings = self._context.configuration
        if settings is None or settings.is_staged(RECEIVER, POSITION):
            offers = ()
        if self._offered.has_changed(offers):
            clear_layout(self._offers)
            for offer in offers:
                text = f"Stage {mode_words(offer.mode)} as failsafe"
                self._offers.addWidget(make_button(text, partial(self._stage, offer)))
            self._offers.addStretch(1)

    def _stage(self, offer: FailsafeOffer) -> None:
        settings = self._context.configuration
        if settings is not None:
            with settings.staging_from("Checklist"):
                settings.stage(RECEIVER, POSITION, offer.index)
            self._context.show_message(
                f"Staged: the failsafe goes to {mode_words(offer.mode)}. Apply it in Configure."
            )

    def _show_nothing(self, why: str) -> None:
        self._offer(())
        self._summary.state(Statement(why))
        self._view.show_checklist(Checklist((), ""))
        self._shown.forget()
        self._boxes = {}
        clear_layout(self._hand)
        self._change.hide()

    def _build(self, preflight: Preflight) -> None:
        clear_layout(self._hand)
        self._boxes = {}
        for item in preflight.items:
            box = QCheckBox(item)
            box.setMinimumHeight(32)
            box.clicked.connect(
                lambda is_done, item=item: preflight.tick(item, is_done=bool(is_done))
            )
            self._hand.addWidget(box)
            self._boxes[item] = box

    # The list

    def _begin_editing(self) -> None:
        if self._preflight is not None:
            self._editor.setPlainText("\n".join(self._preflight.items))
            self._editing.show()
            self._change.hide()
            self._editor.setFocus()

    def _keep(self) -> None:
        if self._preflight is not None:
            self._preflight.keep_items(self._editor.toPlainText().splitlines())
            if self._preflight.problem:
                self._context.show_message(self._preflight.problem)
        self._end_editing()

    def _end_editing(self) -> None:
        self._editing.hide()
        self._change.show()

    def _make_editing(self) -> QFrame:
        editing = QFrame()
        keep = make_button("Keep", self._keep, "primary")
        leave = make_button("Cancel", self._end_editing)
        help_text = make_label(_EDIT_HELP, tone="muted", wraps=True)
        editing.setLayout(make_column(help_text, self._editor, make_row(keep, leave, 1)))
        editing.hide()
        return editing

    def _lay_out(self) -> None:
        parts = (
            *(self._summary, self._hand, self._view, self._offers),
            *(make_row(self._change, 1), self._editing),
        )
        inside = make_column(*parts, 1, margins=8, spacing=6)
        self.setLayout(make_column(make_scrolled(inside, keeps_width=True)))
