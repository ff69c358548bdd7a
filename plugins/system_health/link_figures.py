"""Link figures: how much arrives, how much is lost, what is recorded."""

from math import isinf
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from telemetry.base.finding import Level
from telemetry.vehicle.vehicle import QUALITY_SPAN_S, LinkState, LinkStatus
from widgets.alarm_items import is_poor
from widgets.change_detector import ChangeDetector
from widgets.labels import set_text
from widgets.level_mark import LEVEL_TOKENS
from widgets.parts import make_grid, make_label

_THIN = "\u2009"
_SPAN = f"in the last {QUALITY_SPAN_S:g}{_THIN}s"


class LinkFigures(QWidget):
    """A table of names and values; values keep their place when they change."""

    def __init__(self) -> None:
        super().__init__()
        self._status = ChangeDetector()
        self._values: dict[str, QLabel] = {}
        grid = make_grid(self, margins=(8, 8, 8, 8), spacing=(12, 4), shares={1: 1})
        for row, (name, value, _) in enumerate(figures(LinkStatus())):
            title, shown = make_label(name, tone="muted"), make_label(value, wraps=True)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(shown, row, 1)
            self._values[name] = shown
        grid.setRowStretch(len(self._values), 1)

    def show_status(self, status: LinkStatus) -> None:
        """Show `status`; labels are touched only where the text has changed."""
        if not self._status.has_changed(status):
            return
        for name, text, tone in figures(status):
            set_text(self._values[name], text, tone)


def figures(status: LinkStatus) -> list[tuple[str, str, str]]:
    """Name, value and tone ("" or "caution", "danger") of every figure."""
    lost = status.state in (LinkState.LOST, LinkState.RECONNECTING)
    tone = "" if status.age_level is Level.OK else LEVEL_TOKENS[status.age_level]
    state = f"{status.word}. {status.reason}" if status.reason else status.word
    quality = "–" if status.quality_percent is None else f"{status.quality_percent}{_THIN}% {_SPAN}"
    receiving = _load(status.rx_bytes_per_s, status.line_bytes_per_s)
    recorded = status.recording_error or Path(status.recording_file).name or "Not recorded"
    return [
        ("State", state, "danger" if lost else tone),
        ("Firmware", status.release or "Not known yet", ""),
        ("Receiving", f"{receiving}, {_objects(status.objects_per_s)}", ""),
        ("Sending", _load(status.tx_bytes_per_s, status.line_bytes_per_s), ""),
        ("Quality", quality, "caution" if is_poor(status) else ""),
        ("CRC errors", _count(status.crc_errors), "caution" if status.crc_errors else ""),
        ("Bytes outside frames", _count(status.junk_bytes), ""),
        ("Unknown objects", _count(status.unknown_objects), ""),
        ("Repeated requests", _count(status.retries), ""),
        ("Recording", recorded, "danger" if status.recording_error else ""),
    ]


def _load(bytes_per_s: float, line_bytes_per_s: float) -> str:
    """A rate, and where the line is known, the share of it that this takes."""
    if isinf(line_bytes_per_s):
        return _rate(bytes_per_s)
    share = bytes_per_s / line_bytes_per_s
    return f"{_rate(bytes_per_s)} ({100 * share:.0f}{_THIN}% of {_rate(line_bytes_per_s)})"


def _rate(bytes_per_s: float) -> str:
    if bytes_per_s >= 10_000:
        return f"{bytes_per_s / 1000:.1f}{_THIN}kB/s"
    return f"{bytes_per_s:.0f}{_THIN}B/s"


def _objects(per_s: float) -> str:
    return f"{per_s:.0f}{_THIN}objects/s"


def _count(number: int) -> str:
    return f"{number:,}".replace(",", _THIN)
