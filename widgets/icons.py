"""Icons of the station: SVG line drawings that take any colour, sharp at any size.

They are few, load in microseconds and need no icon font.
"""

from functools import cache, lru_cache
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
    screen = QGuiApplication.primaryScreen()
    return _drawn(name, color.name(), side_px, screen.devicePixelRatio() if screen else 1.0)


@lru_cache(1024)
def _drawn(name: str, color: str, side_px: int, ratio: float) -> QPixmap:
    source = _svg(name).replace(_PLACEHOLDER, color)
    pixmap = QPixmap(QSize(side_px, side_px) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(QByteArray(source.encode()))
    with QPainter(pixmap) as painter:
        renderer.render(painter, QRectF(0, 0, side_px, side_px))
    return pixmap


@cache
def _svg(name: str) -> str:
    path = resources.files("resources").joinpath("icons", f"{name}.svg")
    if not path.is_file():
        raise KeyError(f"there is no icon {name!r}")
    return path.read_text(encoding="utf-8")
