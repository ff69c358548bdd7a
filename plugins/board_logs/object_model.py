"""Object model: every object of an aircraft, when it is logged and what of the flash it takes."""

from collections.abc import Sequence
from typing import ClassVar

from telemetry.base.number_text import significant
from telemetry.configuration.board_logs.log_filling import HEADER_BYTES
from telemetry.configuration.board_logs.logged_objects import (
    HAS_PERIOD,
    MODE_TITLES,
    LoggedObject,
)
from widgets.row_model import RowModel, ShownRow
from widgets.theme import Theme

_STAGED = "yes"
_NOT_KNOWN = "not known"
WIDEST = ("GPSPositionSensorWW", "When updated", "10000 ms", "Bytes", "not known", "100 %")


class LoggedObjectModel(RowModel[LoggedObject]):
    """One row per object; what is not logged is muted."""

    column_titles: ClassVar[tuple[str, ...]] = (
        *("Object", "Logged", "Period", "Bytes", "Per second", "Share", "Staged"),
    )

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._bytes_per_s = 0.0

    def show_objects(self, objects: Sequence[LoggedObject]) -> None:
        """Show these; what is chosen stays chosen where they are the same ones."""
        self._bytes_per_s = sum(map(_bytes_per_s, objects))
        self.update_rows(objects, lambda one: one.name)

    def shown(self, row: LoggedObject) -> ShownRow:
        """What a row shows."""
        mode, per_s = row.policy.mode, row.entries_per_s
        period = f"{row.policy.period_ms}\u2009ms" if mode in HAS_PERIOD else ""
        share = _bytes_per_s(row) / self._bytes_per_s if self._bytes_per_s else 0.0
        texts = (
            row.name,
            MODE_TITLES[mode],
            period,
            str(row.size_bytes),
            _NOT_KNOWN if per_s is None else significant(per_s, 3) if per_s else "",
            f"{100 * share:.0f}\u2009%" if per_s else "",
            _STAGED if row.is_staged else "",
        )
        return ShownRow(texts, None, per_s == 0.0 and not row.is_staged, row.name)


def _bytes_per_s(row: LoggedObject) -> float:
    return (row.entries_per_s or 0.0) * (row.size_bytes + HEADER_BYTES)
