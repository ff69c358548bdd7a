"""Firmware page: controls at the left, what is so at the right."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.firmware.controls import FirmwareControls, offer
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.configuration.firmware.at_hand import BoardPlace
from telemetry.configuration.firmware.before import Consent
from telemetry.configuration.firmware.facts import board_facts, file_facts
from telemetry.configuration.firmware.image import SUFFIXES
from telemetry.configuration.firmware.pending import PendingUpload
from telemetry.configuration.firmware.update import FirmwareUpdate
from telemetry.configuration.firmware.upload_progress import UploadProgress, UploadStage
from telemetry.configuration.firmware.work import firmware_work_of
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.address import short_name
from widgets.choices import fill_choice
from widgets.dialogs import ask_for_file
from widgets.fact_grid import FactGrid
from widgets.kept_focus import enable
from widgets.parts import PAGE_MARGINS, STRETCH, make_column, make_row
from widgets.state_label import StateLabel

_FILTER: Final = f"Firmware ({' '.join(f'*{suffix}' for suffix in SUFFIXES)})"
_LEFT_PX: Final = 350
_RESCUING: Final = (
    "Waiting for a board: unplug it and plug it in again by USB. Its bootloader is held then."
)
_STAGED: Final = " What differed was staged: what still waits shows below, to be applied and saved."
_LEVELS: Final = {UploadStage.DONE: Level.OK, UploadStage.CANCELLED: Level.INFO}


class FirmwarePage(QWidget):
    """Stays the same whichever aircraft is shown: a board in its bootloader is none."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self.work = firmware_work_of(context.fleet, context.jobs)
        self.controls = FirmwareControls()
        self.controls.setFixedWidth(round(_LEFT_PX * context.theme.scale))
        self.state, self.refusal = StateLabel(wraps=True, calm=""), StateLabel(wraps=True)
        self.pending = StateLabel(wraps=True)
        self.board, self.file = FactGrid("The board"), FactGrid("The file")
        words = (self.state, self.pending, self.refusal, self.board, self.file)
        right = make_column(*words, STRETCH, spacing=8)
        self.setLayout(make_row(self.controls, (right, 1), margins=PAGE_MARGINS, spacing=16))
        self._board_of_end = ""
        """Whose board it is that what has ended is told of."""
        self._connect()
        self.refresh(0.0)

    def refresh(self, t: float) -> None:
        """Follow the boards, the file and what is under way."""
        self.work.see()
        self.work.poll()
        self._show_board()
        self._show_file()
        self._show_said()
        self._show_update(self.work.update)
        self._show_offers()

    def incomplete(self) -> str:
        """What waits for its board."""
        return self._pending_words()

    def open_file(self, path: Path) -> None:
        """Read a file that was chosen."""
        self.work.put_aside()
        self.work.open_file(path, self.controls.bin_board.currentData())

    # What the controls do

    def _connect(self) -> None:
        controls, work = self.controls, self.work
        controls.board.activated.connect(lambda _row: self._choose())
        controls.connect_board.clicked.connect(lambda: self._context.connect(work.at_hand.address))
        controls.rescue.toggled.connect(self._rescue)
        controls.open.clicked.connect(
            lambda: ask_for_file(self, "Firmware", _FILTER, self.open_file)
        )
        for check in controls.said:
            check.toggled.connect(self._take_said)
        controls.upload.held.connect(lambda: self._try(work.begin_upload))
        controls.cancel.clicked.connect(work.cancel)
        controls.again.clicked.connect(lambda: self._with_pending(work.begin_again))
        controls.forget.clicked.connect(lambda: self._with_pending(work.forget))
        controls.start.clicked.connect(lambda: self._start(Boot.NORMAL))
        controls.safe.clicked.connect(lambda: self._start(Boot.SAFE))
        controls.erase.held.connect(lambda: self._start(Boot.ERASE_SETTINGS))

    def _choose(self) -> None:
        self.work.at_hand.choose(self.controls.board.currentData())
        self._take_back_said()

    def _rescue(self, is_wanted: bool) -> None:
        self.work.put_aside()
        self.work.at_hand.is_rescuing = is_wanted

    def _take_said(self) -> None:
        controls = self.controls
        self.work.consent = Consent(
            controls.propellers.isChecked(),
            controls.battery.isChecked(),
            self.work.board_name if controls.without.isChecked() else "",
        )

    def _take_back_said(self) -> None:
        for check in self.controls.said:
            check.setChecked(False)

    def _start(self, boot: Boot) -> None:
        self._try(lambda: self.work.begin_start(boot))

    def _with_pending(self, act: Callable[[PendingUpload], object]) -> None:
        upload = self._pending
        if upload is not None:
            self._try(lambda: act(upload))

    def _try(self, act: Callable[[], object]) -> None:
        """Do it; what is against it is told in the status line."""
        try:
            act()
        except RuntimeError as error:
            self._context.show_message(str(error))
        self._take_back_said()
        self.refresh(0.0)

    # What is shown

    @property
    def _pending(self) -> PendingUpload | None:
        """What was interrupted: of a board that is there, else of the first."""
        pending, here = self.work.pending, self.work.at_hand.address
        return next((u for u in pending if here.endswith(u.serial)), next(iter(pending), None))

    def _show_board(self) -> None:
        at_hand, place = self.work.at_hand, self.work.at_hand.chosen
        entries = [(place.title, place.address) for place in at_hand.places]
        none = "Choose a board" if entries else "No board is plugged in"
        chosen = at_hand.address
        if chosen and place is None:
            entries.append((f"{short_name(chosen)} (not plugged in)", chosen))
        if chosen and self._board_of_end not in ("", chosen):
            self.work.put_aside()
        self._board_of_end = chosen or self._board_of_end
        fill_choice(self.controls.board, [(none, ""), *entries], chosen)
        board = place.board if place is not None else None
        self.board.show_facts(board_facts(board, at_hand.reading, at_hand.who()))

    def _show_file(self) -> None:
        file = self.work.file
        image = file.image if file is not None else None
        self.file.show_facts(file_facts(image, file.definitions if file is not None else None))

    def _show_said(self) -> None:
        """Settings can be kept by firmware that answers; a yes to their loss is of one board."""
        self.controls.name_board(self.work.board_name)
        self.controls.without.setEnabled(self.work.vehicle is None)
        said_of = self.work.consent.without_settings_of
        if said_of and said_of != self.work.board_name:
            self.controls.without.setChecked(False)

    def _show_update(self, update: FirmwareUpdate | None) -> None:
        if update is None:
            is_waiting = self.work.at_hand.is_rescuing
            self.state.state(Statement(_RESCUING, level=Level.INFO) if is_waiting else None)
            self._show_progress(None)
            return
        progress = update.progress
        level = _LEVELS.get(progress.stage, Level.ERROR) if progress.is_over else Level.INFO
        waits = _STAGED if update.after is not None and update.after.staged else ""
        self.state.state(Statement(f"{progress.sentence}{waits}", level=level))
        self._show_progress(progress)

    def _show_progress(self, progress: UploadProgress | None) -> None:
        bar = self.controls.progress
        percent = round(100 * progress.share) if progress is not None else 0
        words = _progress_words(progress) if progress is not None else ""
        if (bar.value(), bar.format()) != (percent, words):
            bar.setValue(percent)
            bar.setFormat(words)

    def _show_offers(self) -> None:
        """Enable what can be done, with the reason where it cannot."""
        work, controls = self.work, self.controls
        place, is_busy = work.at_hand.chosen, work.is_busy
        refusal = work.refusal()
        is_refused = bool(work.file_refusal()) and work.file is not None
        level = Level.ERROR if is_refused and refusal == work.file_refusal() else Level.INFO
        self.refusal.state(Statement(refusal, level=level) if refusal and not is_busy else None)
        controls.board.setEnabled(not is_busy)
        offer(controls.upload, refusal, controls.open)
        for boot, button in controls.starts.items():
            offer(button, work.start_refusal(boot), controls.open)
        can_connect = _can_connect(place) and work.vehicle is None
        enable(controls.connect_board, can_connect, controls.open)
        enable(controls.rescue, not is_busy, controls.open)
        controls.rescue.setChecked(work.at_hand.is_rescuing)
        offer(controls.cancel, work.cancel_refusal(), controls.open)
        words = self._pending_words()
        self.pending.state(Statement(words, level=Level.WARNING) if words else None)
        for button in (controls.again, controls.forget):
            enable(button, bool(words) and not is_busy, controls.open)

    def _pending_words(self) -> str:
        upload = self._pending
        return "" if upload is None or self.work.is_busy else upload.sentence


def _can_connect(place: BoardPlace | None) -> bool:
    return place is not None and place.board is not None and not place.is_bootloader


def _progress_words(progress: UploadProgress) -> str:
    """The stage, which attempt it is, and how long it takes still."""
    words = str(progress.stage).capitalize()
    if progress.attempt > 1:
        words += f", attempt {progress.attempt}"
    if progress.seconds_left is not None and not progress.is_over:
        words += f", about {progress.seconds_left:.0f} s left"
    return words
