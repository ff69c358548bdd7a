"""Folder overlay: matches of a folder's logs and videos with their reasons, to be corrected."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.window.overlay import Overlay
from telemetry.recording.timeline import format_time
from widgets.choices import make_choice
from widgets.parts import make_button, make_heading, make_label, make_row
from widgets.wheel_filter import wheel_needs_focus

if TYPE_CHECKING:  # what matches takes scipy, which the start of the station does without
    from telemetry.review.flights.matching.folder_match import FolderMatch
    from telemetry.review.flights.matching.proposals import MatchProposal

_HEADS = ("Video", "Belongs to the log", "How sure", "Why")
_WIDTH_PX, _TABLE_PX = 1000, 340
_NO_LOG = "(none)"
_CHOSEN = ("You have chosen it.",)

Proposals = Sequence["MatchProposal"]


class FolderOverlay(Overlay):
    """A table of videos, each with the log it is proposed to, the reasons, and the choice.

    `open_flights` gets the proposals of the logs that are selected, `save_flights` all;
    `look_at_pictures` has the folder matched again by them, too.
    """

    def __init__(
        self,
        parent: QWidget,
        match: "FolderMatch",
        open_flights: Callable[[Proposals], object],
        save_flights: Callable[[Proposals], object],
        look_at_pictures: Callable[[], object],
    ) -> None:
        super().__init__(parent, _WIDTH_PX)
        self._logs = [log.path for log in match.logs]
        self._match = match
        self.proposals = list(match.proposals)
        self.column.addWidget(make_heading(f"Logs and videos in {match.folder.name}"))
        self.table = self._make_table()
        self.column.addWidget(self.table, 1)
        self._rest = make_label(tone="muted", wraps=True)
        self.column.addWidget(self._rest)
        self._tell_rest()
        buttons = (
            make_button("Open the selected flights", lambda: self._do(open_flights, all_=False)),
            make_button("Save all as flights", lambda: self._do(save_flights, all_=True)),
            make_button("Look at the pictures, too", lambda: self._look(look_at_pictures)),
            make_button("Close", self.close),
        )
        self.column.addLayout(make_row(*buttons))
        self.appear(self.table)
        # Only when it stands there do columns have the widths that texts are wrapped at.
        QTimer.singleShot(0, self.table, self.table.resizeRowsToContents)

    def choose(self, row: int, log: Path | None) -> None:
        """Say which log the video of a row belongs to."""
        reasons, word = (_CHOSEN, "sure") if log is not None else (_CHOSEN, "none")
        self.proposals[row] = replace(
            self.proposals[row], log=log, confidence=word, reasons=reasons, sync=None
        )
        self._show_row(row)
        self._tell_rest()

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(len(self.proposals), len(_HEADS))
        table.setHorizontalHeaderLabels(list(_HEADS))
        table.verticalHeader().hide()
        table.setWordWrap(True)
        table.setMinimumHeight(_TABLE_PX)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(len(_HEADS) - 1, QHeaderView.ResizeMode.Stretch)
        self.table = table
        for row in range(len(self.proposals)):
            table.setCellWidget(row, 1, self._make_choice(row))
            self._show_row(row)
        if self.proposals:
            table.selectRow(0)
        return table

    def _make_choice(self, row: int) -> QComboBox:
        logs = [(_NO_LOG, None), *((log.name, log) for log in self._logs)]
        choice = make_choice("", logs, partial(self.choose, row))
        chosen = self.proposals[row].log
        choice.setCurrentIndex(self._logs.index(chosen) + 1 if chosen in self._logs else 0)
        wheel_needs_focus(choice)
        return choice

    def _show_row(self, row: int) -> None:
        proposal = self.proposals[row]
        names = "\n".join(path.name for path in proposal.video.files)
        texts = {
            0: f"{names}\n{format_time(proposal.video.duration_s)}",
            2: proposal.confidence,
            3: "\n".join(proposal.reasons),
        }
        for column, text in texts.items():
            item = QTableWidgetItem(text)
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self.table.setItem(row, column, item)
        self.table.resizeRowToContents(row)

    def _tell_rest(self) -> None:
        """The logs that no video belongs to, and what was left out."""
        taken = {proposal.log for proposal in self.proposals}
        lone = [log.name for log in self._logs if log not in taken]
        lines = [f"Logs without a video: {', '.join(lone)}."] if lone else []
        self._rest.setText("\n".join((*lines, *self._match.skipped)))

    def _look(self, look_at_pictures: Callable[[], object]) -> None:
        self.close()
        look_at_pictures()

    def _do(self, act: Callable[[Proposals], object], *, all_: bool) -> None:
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        chosen = {self.proposals[row].log for row in rows}
        placed = [one for one in self.proposals if one.log is not None]
        self.close()
        act([one for one in placed if all_ or one.log in chosen])
