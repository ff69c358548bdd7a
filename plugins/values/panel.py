"""Values panel: ties tiles to the vehicle's recording."""

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from plugins.api import Json, PanelContext
from telemetry.review.analysis.field_paths import list_fields
from widgets.drop_filter import DropFilter
from widgets.parts import STRETCH, make_column, make_label, make_row, make_scrolled
from widgets.plot.curve import Curve
from widgets.plot.drops import dropped_paths
from widgets.plot.expression_entry import judge
from widgets.plot.fields import expand_paths, short_labels
from widgets.plot.picker import FieldPicker
from widgets.popup import open_popup
from widgets.theme import Theme
from widgets.values.board import BoardTile, ValueBoard
from widgets.values.tile import TileSpec, read_tile, spec_from_json
from widgets.values.tile_settings import TileSettings

_EMPTY = "No values yet. Add fields with + (A), or drop them from the object browser."


class ValuesPanel(QWidget):
    """Tiles of values, arranged by the user and saved with the workspace."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._curves: list[Curve] = []
        self._picker: FieldPicker | None = None
        self._units = context.theme.units
        self.specs: list[TileSpec] = []
        self.board = ValueBoard(context.theme)
        self._hint = make_label(_EMPTY, tone="muted", wraps=True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._add = QToolButton()
        self._add.setText("+")
        self._add.setToolTip("Add fields (A)")
        self._add.setAccessibleName("Add fields")
        self._add.setAutoRaise(True)
        self._add.clicked.connect(self.open_picker)
        scroll = make_scrolled(self.board)
        scroll.setMinimumHeight(1)  # without tiles the sentence may have all the room
        row = make_row((self._hint, 100), STRETCH, self._add)
        self.setLayout(make_column(row, (scroll, 1), spacing=0))
        self.setFocusProxy(self.board)
        DropFilter(self, lambda drag: dropped_paths(drag, context.recording), self._add_all)
        self.board.moved.connect(self.move_tile)
        self.board.removed.connect(self.remove_tile)
        self.board.edited.connect(self.edit_tile)
        self.board.menu_wanted.connect(self._open_menu)
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Show all values as they were at `t`."""
        recording = self._context.recording
        for curve in self._curves:
            curve.attach(recording)
        self._hint.setVisible(not self.specs)
        _, labels = short_labels([spec.path for spec in self.specs])
        self.board.show_tiles(
            tuple(
                BoardTile(spec, spec.title or label, read_tile(spec, curve, t, self._units))
                for spec, curve, label in zip(self.specs, self._curves, labels, strict=True)
            )
        )

    def apply_theme(self, theme: Theme) -> None:
        """Take over other units."""
        self._units = theme.units

    def save_state(self) -> Json:
        """All tiles."""
        return {"tiles": [spec.to_json() for spec in self.specs]}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned; a tile may be given as its bare path."""
        tiles = state.get("tiles")
        found = [spec_from_json(entry) for entry in tiles] if isinstance(tiles, list) else []
        self._show([spec for spec in found if spec is not None])

    # Tiles

    def add_path(self, path: str) -> None:
        """Show a field or expression, or, if it shows, no longer."""
        kept = [spec for spec in self.specs if spec.path != path]
        self._show(kept if len(kept) < len(self.specs) else [*kept, TileSpec(path)])

    def move_tile(self, number: int, target: int) -> None:
        """Put a tile in the place of another."""
        specs = list(self.specs)
        specs.insert(target, specs.pop(number))
        self._show(specs)

    def remove_tile(self, number: int) -> None:
        """Show a tile no longer."""
        self._show([spec for index, spec in enumerate(self.specs) if index != number])

    def edit_tile(self, number: int, at: QPoint) -> None:
        """Have a tile set, in a popup at a global position."""
        settings = TileSettings(self, self.specs[number], self._curves[number].unit)
        settings.changed.connect(partial(self._replace, number))
        open_popup(settings, at)

    def _replace(self, number: int, spec: TileSpec) -> None:
        specs = list(self.specs)
        specs[number] = spec
        self._show(specs)

    def _show(self, specs: list[TileSpec]) -> None:
        known = {curve.path: curve for curve in self._curves}
        self.specs = specs
        self._curves = [known.get(spec.path) or Curve(spec.path, 0) for spec in specs]
        if self._picker is not None:
            self._picker.set_plotted(frozenset(spec.path for spec in specs))
        if self._context.timeline is not None:
            self.refresh(self._context.timeline.t)

    # Hands

    def open_picker(self) -> None:
        """Open the list of fields below the add button."""
        recording = self._context.recording
        if self._picker is None:
            self._picker = FieldPicker(self, lambda text: judge(text, self._context.recording))
            self._picker.picked.connect(self.add_path)
            self._picker.entered.connect(lambda path, _old: self.add_path(path))
        entries = list_fields(recording) if recording is not None else []
        corner = self._add.mapToGlobal(QPoint(0, self._add.height()))
        self._picker.open_at(corner, entries, frozenset(spec.path for spec in self.specs))

    def _open_menu(self, number: int, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if 0 <= number < len(self.specs):
            menu.addAction("Title, look, limits…", partial(self.edit_tile, number, at))
            menu.addAction("Remove", partial(self.remove_tile, number))
            menu.addSeparator()
        menu.addAction("Add fields…\tA", self.open_picker)
        menu.popup(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A adds fields."""
        if event.key() == Qt.Key.Key_A and not event.modifiers():
            self.open_picker()
        else:
            super().keyPressEvent(event)

    def takes_field(self, path: str) -> bool:
        """Whether the field at `path` is in the flight shown."""
        recording = self._context.recording
        return recording is not None and bool(expand_paths(recording, path))

    def take_field(self, path: str) -> None:
        """Show the field at `path`."""
        recording = self._context.recording
        self._add_all(expand_paths(recording, path) if recording is not None else [])

    def _add_all(self, paths: list[str]) -> None:
        for path in paths:
            if all(spec.path != path for spec in self.specs):
                self.add_path(path)
