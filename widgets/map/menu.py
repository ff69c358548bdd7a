"""A map's right-click menu: what can be done at a place, and where tiles come from."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from widgets.map.graticule import place_text
from widgets.map.projection import Place

if TYPE_CHECKING:
    from widgets.map.canvas import MapCanvas

OPENSTREETMAP = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"


def build_menu(canvas: "MapCanvas", place: Place) -> QMenu:
    """Make the menu for a click at `place`; it deletes itself when closed."""
    menu = QMenu(canvas)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    text = place_text(place.latitude_deg, place.longitude_deg)
    menu.addAction(f"Copy {text}", lambda: QGuiApplication.clipboard().setText(text))
    menu.addAction("Centre here", lambda: canvas.centre_on(place))
    menu.addSeparator()
    follow = menu.addAction("Follow the aircraft\tF")
    follow.setCheckable(True)
    follow.setChecked(canvas.is_following)
    follow.toggled.connect(canvas.set_following)
    menu.addAction("Fit track\t0", canvas.fit)
    menu.addSeparator()
    _add_sources(canvas, menu.addMenu("Map tiles"))
    return menu


def _add_sources(canvas: "MapCanvas", menu: QMenu) -> None:
    spec = canvas.source_spec
    is_web = spec.startswith(("http://", "https://"))
    none = menu.addAction("None (coordinate grid)", lambda: canvas.choose_source(""))
    openstreetmap = menu.addAction(
        "OpenStreetMap (internet)", lambda: canvas.choose_source(OPENSTREETMAP)
    )
    address = menu.addAction("Web address…", lambda: _ask_address(canvas))
    files = menu.addAction("MBTiles file…", lambda: _ask_file(canvas))
    folder = menu.addAction("Tile folder…", lambda: _ask_folder(canvas))
    chosen = {
        none: not spec,
        openstreetmap: spec == OPENSTREETMAP,
        address: is_web and spec != OPENSTREETMAP,
        files: bool(spec) and not is_web and spec.lower().endswith(".mbtiles"),
    }
    chosen[folder] = not any(chosen.values())
    for action, is_chosen in chosen.items():
        action.setCheckable(True)
        action.setChecked(is_chosen)
    if spec:
        menu.addSeparator()
        menu.addAction("Load again", lambda: canvas.choose_source(spec))


def _ask_address(canvas: "MapCanvas") -> None:
    dialog = QInputDialog(canvas)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Map tiles from a web address")
    dialog.setLabelText("Address with {z}, {x} and {y}, as in https://server/{z}/{x}/{y}.png")
    dialog.setTextValue(canvas.source_spec)
    dialog.resize(480, dialog.sizeHint().height())
    dialog.textValueSelected.connect(canvas.choose_source)
    dialog.open()


def _ask_file(canvas: "MapCanvas") -> None:
    dialog = QFileDialog(canvas, "Open map tiles", "", "MBTiles (*.mbtiles);;All files (*)")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _open_dialog(canvas, dialog)


def _ask_folder(canvas: "MapCanvas") -> None:
    dialog = QFileDialog(canvas, "Choose the folder that holds {z}/{x}/{y}.png")
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open_dialog(canvas, dialog)


def _open_dialog(canvas: "MapCanvas", dialog: QFileDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(canvas.choose_source)
    dialog.open()
