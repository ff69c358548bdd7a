"""Frame picker: every airframe that this firmware has, drawn, by family."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from telemetry.configuration.airframe.airframe import NOT_SIMULATED, Airframe, all_airframes
from telemetry.configuration.airframe.drawing import drawing_of
from telemetry.configuration.airframe.mixer import Mixer
from telemetry.configuration.airframe.setup import usual_setup
from widgets.airframe_view import airframe_picture
from widgets.parts import clear_layout, make_grid, make_label
from widgets.theme import Theme

_COLUMNS = 6
_PICTURE_PX = 72
_TILE_PX = 100


class FramePicker(QWidget):
    """Pictures to press; `chosen(name)` gives the AirframeType. Drawn when first shown."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.tiles: dict[str, QToolButton] = {}
        self._names: tuple[str, ...] = ()
        self._theme: Theme | None = None
        self._drawn_for: object = None
        self._grid = make_grid(self, spacing=4)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        if self.isVisible():
            self._draw()

    def show_frames(self, names: Sequence[str], present: str, *, is_read_only: bool) -> None:
        """Offer these frames, and mark the one the aircraft has."""
        if tuple(names) != self._names:
            self._names = tuple(names)
            self._build()
        for name, tile in self.tiles.items():
            tile.setChecked(name == present)
            tile.setEnabled(not is_read_only)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def _build(self) -> None:
        clear_layout(self._grid)
        self.tiles.clear()
        families: dict[str, list[Airframe]] = {}
        for frame in all_airframes():
            if frame.name in self._names:
                families.setdefault(frame.family, []).append(frame)
        used: list[int] = []
        for family, frames in families.items():
            self._add_family(family, frames, used)
        self._drawn_for = None
        if self.isVisible():
            self._draw()

    def _add_family(self, family: str, frames: Sequence[Airframe], used: list[int]) -> None:
        """Beside others where there is room. `used` are the columns taken in each band so far."""
        wide = min(len(frames), _COLUMNS)
        band = next((b for b, taken in enumerate(used) if taken + wide <= _COLUMNS), len(used))
        if band == len(used):
            used += [0] * -(-len(frames) // _COLUMNS)
        first = used[band]
        heading = make_label(family.capitalize(), tone="muted")
        self._grid.addWidget(heading, 2 * band, first, 1, wide)
        for number, frame in enumerate(frames):
            below, column = divmod(number, _COLUMNS)
            self._grid.addWidget(self._tile(frame), 2 * (band + below) + 1, first + column)
            used[band + below] = first + column + 1

    def _tile(self, frame: Airframe) -> QToolButton:
        tile = QToolButton()
        tile.setText(
            _short(frame) if frame.flown_as else f"{_short(frame)}\n{NOT_SIMULATED.lower()}"
        )
        tile.setToolTip(f"{frame.title} ({frame.name}). {frame.proof}")
        tile.setAccessibleName(frame.title)
        tile.setCheckable(True)
        tile.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        tile.setIconSize(QSize(_PICTURE_PX, _PICTURE_PX))
        tile.setMinimumWidth(_TILE_PX)
        tile.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        tile.clicked.connect(partial(self._take, frame.name))
        self.tiles[frame.name] = tile
        return tile

    def _take(self, name: str) -> None:
        self.tiles[name].setChecked(True)
        self.chosen.emit(name)

    def _draw(self) -> None:
        """Twenty pictures cost too much to draw for nobody."""
        if self._theme is None or self._drawn_for == (self._theme, self._names):
            return
        self._drawn_for = (self._theme, self._names)
        for frame in all_airframes():
            tile = self.tiles.get(frame.name)
            if tile is not None:
                drawing = drawing_of(usual_setup(frame), Mixer())
                ratio = self.devicePixelRatioF()
                picture = airframe_picture(drawing, self._theme, _PICTURE_PX, ratio)
                tile.setIcon(QIcon(picture))


def _short(frame: Airframe) -> str:
    """A title that fits below a picture."""
    words = {
        "FixedWing": "Ailerons",
        "FixedWingElevon": "Elevons",
        "FixedWingVtail": "V-tail",
        "HeliCP": "Swash plate",
        "HexaCoax": "Y6",
        "OctoCoaxP": "Octo coax +",
        "OctoCoaxX": "Octo coax X",
        "GroundVehicleBoat": "Boat, rudder",
        "GroundVehicleDifferentialBoat": "Boat, 2 motors",
        "VTOL": "Convertible",
    }
    return words.get(frame.name, frame.title)
