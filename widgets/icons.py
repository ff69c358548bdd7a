"""The station's own line icons: SVG files that take any colour, drawn sharp at any size.

They are few, load in microseconds and need no icon font.
"""

from importlib import resources

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from widgets.theme import Theme

_PLACEHOLDER = "currentColor"


def themed_icon(name: str, theme: Theme, token: str = "text") -> QIcon:
    """Return the icon `resources/icons/<name>.svg` in the colour of a theme token.

    Disabled buttons get it in the theme's disabled colour. KeyError when there is none of that
    name.
    """
    icon = QIcon()
    for mode, shade in ((QIcon.Mode.Normal, token), (QIcon.Mode.Disabled, "disabled")):
        for side in (16, 20, 24, 32):
            icon.addPixmap(icon_pixmap(name, theme.color(shade), round(side * theme.scale)), mode)
    return icon


def icon_pixmap(name: str, color: QColor, side_px: int) -> QPixmap:
    """Draw an icon `side_px` logical pixels wide and high on a transparent ground."""
    source = _svg(name).replace(_PLACEHOLDER, color.name())
    screen = QGuiApplication.primaryScreen()
    ratio = screen.devicePixelRatio() if screen else 1.0
    pixmap = QPixmap(QSize(side_px, side_px) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(QByteArray(source.encode()))
    with QPainter(pixmap) as painter:
        renderer.render(painter, QRectF(0, 0, side_px, side_px))
    return pixmap


_sources: dict[str, str] = {}


def _svg(name: str) -> str:
    if name not in _sources:
        path = resources.files("resources").joinpath("icons", f"{name}.svg")
        if not path.is_file():
            raise KeyError(f"there is no icon {name!r}")
        _sources[name] = path.read_text(encoding="utf-8")
    return _sources[name]
