"""Export overlay: asks what of a flight is to be exported, and how."""

import os
from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QListWidget, QListWidgetItem, QWidget

from app.exporting.choice import ExportChoice, ExportShape, export_shapes
from app.exporting.template_preview import TemplatePreview
from app.exporting.video_template import VideoTemplate, VideoTemplates
from app.window.overlay import Overlay
from app.workspaces.workspace import PanelPlace
from telemetry.base.folders import Folders
from telemetry.recording.timeline import format_time
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.vehicle import Vehicle
from widgets.choices import make_choice
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_button, make_heading, make_label
from widgets.theme import Theme

_SIZES = ((1280, 720), (1920, 1080), (1080, 1920), (854, 480), (640, 480))
_FASTEST_HZ = 1000.0
_LIST_ROWS = 6
_USUAL_VIEWS = ("flight_display.display", "map.map", "plots.plot")
"""One of each is ticked where the workspace has it."""


class ExportOverlay(Overlay):
    """A form over the window. `on_choice` gets what was chosen once *Export* is pressed.

    `views` are the panels of the present workspace with their titles.
    """

    def __init__(
        self,
        parent: QWidget,
        vehicle: Vehicle,
        views: Sequence[tuple[PanelPlace, str]],
        on_choice: Callable[[ExportChoice], object],
        theme: Theme,
    ) -> None:
        super().__init__(parent, 560)
        self._on_choice = on_choice
        self._vehicle = vehicle
        self._views = views
        self.column.addWidget(make_heading(f"Export {vehicle.name}"))
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.shape = self._add_list("As", [(shape.title, shape) for shape in self._shapes()])
        self.span = self._add_list("Of", self._spans())
        self.rate = self._make_rate()
        videos = [(video.name, video.name) for video in flight_of(vehicle).videos if video.sync]
        self.video = self._add_list("Video", videos or [("No synchronised video", "")])
        templates, problems = self._templates()
        self.template = self._add_list("Template", templates)
        self.left_out = make_label(problems, tone="caution", wraps=True)
        self._form.addRow("", self.left_out)
        self.preview = TemplatePreview(theme)
        self._form.addRow("", self.preview)
        sizes = [(f"{w} × {h}", (w, h)) for w, h in _SIZES]
        self.picture_size = self._add_list("Size", [("720 lines", None), *sizes])
        self.chosen_views = self._make_views()
        self.column.addLayout(self._form)
        self.export = make_button("Export …", self._finish, "primary")
        self.column.addWidget(self.export, 0, Qt.AlignmentFlag.AlignRight)
        self.shape.currentIndexChanged.connect(self._show_rows)
        self.template.currentIndexChanged.connect(self._show_rows)
        self.picture_size.currentIndexChanged.connect(self._show_preview)
        self.video.currentIndexChanged.connect(self._show_preview)
        self.chosen_views.itemChanged.connect(self._show_preview)
        self._show_rows()
        self.appear(self.shape)

    def choice(self) -> ExportChoice:
        """What is chosen now."""
        template: VideoTemplate = self.template.currentData()
        return ExportChoice(
            shape=self.shape.currentData(),
            span=self.span.currentData(),
            rate_hz=self.rate.value() or None,
            video=self.video.currentData(),
            size=self.picture_size.currentData(),
            views=None if template.strip_share is None else self._ticked(),
            template=template.name,
            workspace=tuple(place for place, _ in self._views),
        )

    def _shapes(self) -> list[ExportShape]:
        """Frames are offered only where there is a video whose time is known."""
        has_frames = any(video.sync for video in flight_of(self._vehicle).videos)
        return [shape for shape in export_shapes() if shape.kind != "dataset" or has_frames]

    def _spans(self) -> list[tuple[str, tuple[float, float] | None]]:
        spans: list[tuple[str, tuple[float, float] | None]] = [("The whole flight", None)]
        selection = self._vehicle.timeline.selection
        if selection is not None:
            start, end = (format_time(t) for t in selection)
            spans.insert(0, (f"From the in point to the out point ({start} to {end})", selection))
        return spans

    def _templates(self) -> tuple[list[tuple[str, VideoTemplate]], str]:
        """Those that are right, and what is wrong with others, a line each."""
        templates = VideoTemplates(Folders.of_user(os.environ).video_templates)
        found, problems = [], []
        for name in templates.names():
            try:
                template = templates.load(name)
            except ValueError as error:
                problems.append(f"Left out: {error}")
            else:
                found.append((template.title, template))
        return found, "\n".join(problems)

    def _add_list(self, label: str, entries: Sequence[tuple[str, object]]) -> QComboBox:
        box = make_choice(label, entries)
        self._form.addRow(label, box)
        return box

    def _make_rate(self) -> NumberBox:
        box = NumberBox("Rate", (0.0, _FASTEST_HZ), 1, " Hz")
        box.setSpecialValueText("as it was sent")
        self._form.addRow("Rate", box)
        return box

    def _make_views(self) -> QListWidget:
        """The views of the workspace, each with a tick."""
        views = QListWidget()
        views.setAccessibleName("Views beside the video")
        usual = set(_USUAL_VIEWS)
        for place, title in self._views:
            is_ticked = place.panel in usual
            usual.discard(place.panel)
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, place)
            item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
            views.addItem(item)
        views.setMaximumHeight(views.sizeHintForRow(0) * _LIST_ROWS + 8)
        self._form.addRow("Views", views)
        return views

    def _ticked(self) -> tuple[PanelPlace, ...]:
        return tuple(item.data(Qt.ItemDataRole.UserRole) for item in self._ticked_items())

    def _ticked_titles(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self._ticked_items())

    def _ticked_items(self) -> Iterator[QListWidgetItem]:
        items = (self.chosen_views.item(row) for row in range(self.chosen_views.count()))
        return (item for item in items if item.checkState() is Qt.CheckState.Checked)

    def _show_rows(self) -> None:
        """Only what the chosen shape makes use of."""
        shape: ExportShape = self.shape.currentData()
        is_video = shape.kind == "video"
        self._form.setRowVisible(self.span, shape.kind != "report")
        self._form.setRowVisible(self.rate, shape.has_rate)
        self._form.setRowVisible(self.video, shape.kind in ("dataset", "video"))
        template: VideoTemplate = self.template.currentData()
        self._form.setRowVisible(self.template, is_video)
        self._form.setRowVisible(self.left_out, is_video and bool(self.left_out.text()))
        self._form.setRowVisible(self.preview, is_video)
        self._form.setRowVisible(self.picture_size, is_video)
        has_views = is_video and template.strip_share is not None
        self._form.setRowVisible(self.chosen_views, has_views)
        self._show_preview()
        self.adjustSize()
        self.place()

    def _show_preview(self) -> None:
        """Where all of it will stand."""
        template: VideoTemplate = self.template.currentData()
        has_views = template.strip_share is not None
        titles = self._ticked_titles() if has_views else ()
        size, has_film = self.picture_size.currentData(), bool(self.video.currentData())
        self.preview.show_template(template, titles, size, has_film=has_film)

    def _finish(self) -> None:
        self.close()
        self._on_choice(self.choice())
