"""Comparison view: two sources to choose, what differs, and staging what is ticked."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from plugins.api import PageContext
from plugins.configuration_sets.comparing import Comparing, Comparison
from plugins.configuration_sets.sources import BOARD, CompareSource
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.difference import Difference
from telemetry.configuration.settings.snapshot import Address, Skipped
from widgets.parts import make_button, make_column, make_label, make_row
from widgets.settings.difference_table import DifferenceTable

_MOST_SKIPPED = 6
_TABLE_PX = 240


class SettingsCompareView(QWidget):
    """Compares whatever is chosen; against the board, ticked rows can be staged."""

    def __init__(self, context: PageContext, settings: Configuration) -> None:
        super().__init__()
        self._settings = settings
        self._comparing = Comparing(context.jobs)
        self._sources: dict[str, CompareSource] = {}
        self._shown: Comparison | None = None
        self._is_outdated = False
        self.a, self.b = QComboBox(), QComboBox()
        self.a.setAccessibleName("Compare")
        self.b.setAccessibleName("With")
        for box in (self.a, self.b):
            box.currentIndexChanged.connect(self.compare)
        self.text = make_label(wraps=True)
        self.table = DifferenceTable()
        self.table.setMinimumHeight(_TABLE_PX)
        self.table.ticked_changed.connect(self._enable)
        self.all = make_button("Tick all", lambda: self.table.tick_all(True))
        self.none = make_button("Tick none", lambda: self.table.tick_all(False))
        self.stage = make_button("Stage ticked", self._stage)
        self.stage.setProperty("role", "primary")
        top = make_row((self.a, 1), QLabel("with"), (self.b, 1))
        buttons = make_row((self.text, 1), self.all, self.none, self.stage)
        self.setLayout(make_column(top, buttons, (self.table, 1)))
        self._enable()

    def show_sources(self, sources: Sequence[CompareSource]) -> None:
        """Offer these; what is chosen stays chosen while it exists."""
        if [(s.key, s.title) for s in sources] == [(s.key, s.title) for s in self._all()]:
            self._sources = {source.key: source for source in sources}
            return
        self._sources = {source.key: source for source in sources}
        for box, fallback in ((self.a, 0), (self.b, -1)):
            chosen = box.currentData()
            with QSignalBlocker(box):
                box.clear()
                if box is self.b:
                    box.addItem("Choose a set, a file or a log", "")
                for source in sources:
                    box.addItem(source.title, source.key)
                index = box.findData(chosen)
                box.setCurrentIndex(index if index >= 0 else max(0, fallback))

    def choose(self, key: str) -> None:
        """Compare the board with this source."""
        with QSignalBlocker(self.a):
            self.a.setCurrentIndex(self.a.findData(BOARD))
        with QSignalBlocker(self.b):
            self.b.setCurrentIndex(self.b.findData(key))
        self.compare()

    def compare(self) -> None:
        """Read both and compare them."""
        a = self._sources.get(self.a.currentData() or "")
        b = self._sources.get(self.b.currentData() or "")
        if a is None or b is None:
            return
        self.text.setText("Comparing…")
        self._comparing.begin(a, b)

    def refresh(self) -> None:
        """Take over a comparison that has been made, and make it anew where it is of another
        board than the one that answers now."""
        self._renew()
        result = self._comparing.result()
        if result is None:
            return
        self._shown = result
        found = result.found or Difference((), 0, (), (), ())
        bound = result.bound() if result.a.key == BOARD else {}
        self.table.show_difference(found, result.a.title, result.b.title, bound)
        sentences = [result.problem or _sentence(found), _whose(result, bound)]
        self.text.setText(" ".join(sentence for sentence in sentences if sentence))
        self.text.setToolTip("\n".join(f"{s.name}: {s.why}" for s in found.skipped))
        self._enable()

    def _renew(self) -> None:
        shown, aircraft = self._shown, self._settings.aircraft
        if shown is not None and shown.serial not in (None, aircraft.serial):
            self._shown, self._is_outdated = None, True  # nothing of it may be staged here
            self.text.setText("Another board answers now. Its settings are compared anew.")
            self._enable()
        if self._is_outdated and aircraft.is_complete:
            self._is_outdated = False
            self.compare()

    def _all(self) -> list[CompareSource]:
        return list(self._sources.values())

    def _stage(self) -> None:
        shown = self._shown
        if shown is None or shown.wanted is None:
            return
        ticked = self.table.ticked()
        is_foreign = bool(shown.told_of_another)
        skipped = self._settings.stage_snapshot(shown.wanted, ticked, is_foreign=is_foreign)
        refused = _concerning(skipped, {name for (name, _), _ in ticked})
        staged = len(ticked) - len(refused)
        text = f"{staged} of {len(ticked)} values staged. Apply sends them."
        self.text.setText(" ".join([text, *(f"{s.name}: {s.why}." for s in refused[:3])]))

    def _enable(self) -> None:
        shown = self._shown
        is_board = shown is not None and shown.a.key == BOARD and not self._settings.aircraft.is_log
        self.stage.setEnabled(is_board and bool(self.table.ticked()))
        self.stage.setToolTip(
            "Stage the ticked values of the right side."
            if is_board
            else "Choose On board on the left, with an aircraft connected."
        )


def _whose(result: Comparison, bound: Mapping[tuple[Address, str], str]) -> str:
    """A warning that the right side is of another aircraft, and what is left unticked for that."""
    told = result.told_of_another if result.a.key == BOARD else ""
    if told and bound:
        kinds = ", ".join(sorted(set(bound.values())))
        told += f" What belongs to it is not ticked: {kinds}."
    return told


def _concerning(skipped: Sequence[Skipped], names: set[str]) -> list[Skipped]:
    return [entry for entry in skipped if entry.name in names and "takes" in entry.why]


def _sentence(found: Difference) -> str:
    parts = [f"{len(found.changed)} differ, {found.same:,} are equal."]
    only = [(found.only_a, "left"), (found.only_b, "right")]
    for addresses, side in only:
        if addresses:
            names = ", ".join(name for name, _ in addresses[:_MOST_SKIPPED])
            more = "…" if len(addresses) > _MOST_SKIPPED else ""
            parts.append(f"Only {side}: {names}{more}.")
    if found.skipped:
        parts.append(f"{len(found.skipped)} skipped (hover for why).")
    return " ".join(parts)
