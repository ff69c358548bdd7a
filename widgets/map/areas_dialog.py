"""Offline areas dialog: the map areas kept for use without internet, and a new one."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from widgets.map.projection import Viewport
from widgets.map.tile_areas import (
    USUAL_DETAIL,
    AreaDownload,
    AreaDownloads,
    AreaState,
    area_in,
    choice_of,
)
from widgets.map.tile_cache import TileArea
from widgets.map.web_tiles import WebTiles
from widgets.parts import clear_layout, make_button, make_column, make_heading, make_label, make_row

_LOOKS_EVERY_MS = 500


class AreasDialog(QDialog):
    """Lists the areas with pause, resume and delete, and asks for what a new one needs."""

    def __init__(
        self,
        parent: QWidget | None,
        downloads: AreaDownloads,
        source: WebTiles,
        view: Viewport,
        jobs: Executor,
    ) -> None:
        super().__init__(parent)
        self._downloads, self._source, self._view, self._jobs = downloads, source, view, jobs
        self._listing: Future[list[AreaDownload]] | None = None
        self._shown: list[AreaDownload] = []
        self._told: object = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Map areas for use without internet")
        self._rows = QVBoxLayout()
        self._name = QLineEdit(area_in(view, source, 0).name)
        self._name.setObjectName("name")
        self._name.setPlaceholderText("Name, as Flying field")
        self._detail = QSpinBox()
        self._detail.setRange(1, source.max_zoom)
        self._detail.setValue(min(source.max_zoom, max(USUAL_DETAIL, round(view.zoom))))
        self._detail.setPrefix("Detail down to zoom ")
        self._size = make_label(wraps=True)
        self._accepted = QCheckBox(f"I have read the terms of {source.title}, and they allow this")
        self._begin = make_button("Download", self._add)
        self._build()
        timer = QTimer(self)
        timer.timeout.connect(self.poll)
        timer.start(_LOOKS_EVERY_MS)
        self._look_again()
        self._show_choice()

    def poll(self) -> None:
        """Show how far the downloads are."""
        listing = self._listing
        if listing is not None and listing.done():
            self._listing = None
            if not listing.cancelled():
                self._take(listing)
        told = [(one.area, one.state, one.done, one.absent) for one in self._shown]
        if told != self._told:
            self._told = told
            self._show_rows()

    def _take(self, listing: "Future[list[AreaDownload]]") -> None:
        error = listing.exception()
        if error is None:
            self._shown = listing.result()
        else:
            self._size.setText(f"That did not work: {error}.")

    def _build(self) -> None:
        terms = self._source.terms
        where = f": {terms.address}" if terms.address else " on its web site"
        about = make_label(
            f"The part of the map in the window is fetched from {self._source.title}, at most "
            f"20,000 tiles. Its tiles belong to their provider; keep copies only as its terms of "
            f"use allow{where}.",
            wraps=True,
        )
        self._name.textChanged.connect(self._show_choice)
        self._detail.valueChanged.connect(self._show_choice)
        self._accepted.toggled.connect(self._show_choice)
        form = make_row(self._name, self._detail)
        buttons = make_row(self._begin, make_button("Close", self.close))
        parts = (
            make_heading("Areas"),
            self._rows,
            make_heading("Keep what is in the window"),
            about,
            form,
            self._size,
            self._accepted,
            buttons,
        )
        self.setLayout(make_column(*parts, margins=16, spacing=8))
        self.setMinimumWidth(520)

    def _area(self) -> TileArea:
        name = self._name.text().strip()
        return replace(area_in(self._view, self._source, self._detail.value()), name=name)

    def _show_choice(self) -> None:
        choice = choice_of(self._source, self._area())
        self._size.setText(choice.problem or choice.size_text)
        self._begin.setEnabled(not choice.problem and self._accepted.isChecked())

    def _show_rows(self) -> None:
        clear_layout(self._rows)
        if not self._shown:
            self._rows.addWidget(make_label("None yet.", tone="muted"))
        for one in self._shown:
            absent = f", {one.absent:,} not there" if one.absent else ""
            text = f"{one.area.name}: {one.done:,} of {one.total:,}{absent}, {one.state.value}"
            buttons = [make_button("Delete", partial(self._delete, one))]
            if one.is_running:
                buttons.insert(0, make_button("Pause", one.pause))
            elif one.state is not AreaState.COMPLETE:
                buttons.insert(0, make_button("Resume", partial(self._resume, one)))
            row = QWidget()
            row.setLayout(make_row(make_label(text, wraps=True), *buttons))
            self._rows.addWidget(row)

    def _resume(self, download: AreaDownload) -> None:
        download.start()
        self.poll()

    def _add(self) -> None:
        self._look_again(partial(self._downloads.add, self._area()))
        self._name.clear()
        self._accepted.setChecked(False)

    def _delete(self, download: AreaDownload) -> None:
        self._look_again(partial(self._downloads.delete, download.area.name))

    def _look_again(self, act: Callable[[], object] = lambda: None) -> None:
        """Do something with the areas and list them then, off the GUI thread."""

        def list_after() -> list[AreaDownload]:
            act()
            return self._downloads.load()

        self._listing = self._jobs.submit(list_after)
