"""Wiring diagram: a picture of what is plugged in where, on screen, to save and to print.

It is a plan, not a photograph: it shows which plug goes where, not where plugs sit on the board.
"""

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPen
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QSizePolicy

from telemetry.configuration.assistant.wiring import OutputWire, PortWire, Wiring
from widgets.theme import RADIUS_PX, PaintedWidget, Theme

_ROW_PX, _TOP_PX, _SIDE_PX = 46.0, 44.0, 12.0
_BOARD_SHARE, _PART_SHARE = 0.2, 0.29
_BOX_PX, _PLUG_PX = 38.0, 12.0
_WIDTH_PX = 860
_PICTURE_SCALE = 2


class WiringView(PaintedWidget):
    """Shows a Wiring. It is as high as its rows."""

    def __init__(self) -> None:
        super().__init__()
        self._wiring = Wiring("", "", (), ())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH_PX, round(_height(self._wiring)))

    def show_wiring(self, wiring: Wiring) -> None:
        """Show another aircraft."""
        if wiring != self._wiring:
            self._wiring = wiring
            self.setAccessibleName(_words(wiring))
            self.setFixedHeight(self.sizeHint().height())
            self.update()

    def save(self, path: Path) -> str:
        """Write the picture as SVG or PNG by its suffix; return what is wrong, or nothing."""
        if self._theme is None:
            return "Nothing to save yet."
        size = QSizeF(_WIDTH_PX, _height(self._wiring))
        make = _svg if path.suffix.lower() == ".svg" else _png
        try:
            path.write_bytes(make(size, self._theme, self._wiring))
        except OSError as error:
            return f"{path} cannot be written: {error.strerror}."
        return ""

    def paint(self, painter: QPainter, theme: Theme) -> None:
        paint_wiring(painter, QSizeF(self.size()), theme, self._wiring)


def paint_wiring(painter: QPainter, size: QSizeF, theme: Theme, wiring: Wiring) -> None:
    """Draw board, ports on the left and outputs on the right, as wide as `size`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(QPointF(), size), theme.color("surface"))
    painter.setPen(theme.color("text"))
    painter.setFont(theme.font("body", bold=True))
    painter.drawText(QPointF(_SIDE_PX, 26.0), wiring.title)
    width = size.width() * _BOARD_SHARE
    rows = max(len(wiring.outputs), len(wiring.ports), 1)
    left = (size.width() - width) / 2
    board = QRectF(left, _TOP_PX, width, rows * _ROW_PX)
    painter.setPen(QPen(theme.color("line"), 1.5))
    painter.setBrush(theme.color("raised"))
    painter.drawRoundedRect(board, RADIUS_PX, RADIUS_PX)
    painter.setPen(theme.color("text"))
    painter.drawText(board, Qt.AlignmentFlag.AlignCenter, wiring.board)
    for row, port in enumerate(wiring.ports):
        _paint_port(painter, theme, board, row, port)
    for row, wire in enumerate(wiring.outputs):
        _paint_output(painter, theme, board, size.width(), row, wire)


def _paint_port(painter: QPainter, theme: Theme, board: QRectF, row: int, port: PortWire) -> None:
    width = (board.left() - _SIDE_PX) / (1.0 - _PART_SHARE)
    box = QRectF(_SIDE_PX, _y(board, row) - _BOX_PX / 2, width * 0.5, _BOX_PX)
    plug = QPointF(board.left(), _y(board, row))
    _paint_plug(painter, theme, plug, port.port, is_left=True)
    if port.part:
        start = QPointF(box.right(), plug.y())
        _paint_wire(painter, theme, start, plug - QPointF(_PLUG_PX / 2, 0.0), "series_3")
        _paint_box(painter, theme, box, port.part, port.note)


def _paint_output(
    painter: QPainter, theme: Theme, board: QRectF, width: float, row: int, wire: OutputWire
) -> None:
    share = (width - board.right() - _SIDE_PX) / (1.0 - _PART_SHARE)
    left = width - _SIDE_PX - share * 0.5
    box = QRectF(left, _y(board, row) - _BOX_PX / 2, share * 0.5, _BOX_PX)
    plug = QPointF(board.right(), _y(board, row))
    _paint_plug(painter, theme, plug, str(wire.output), is_left=False)
    token = "series_1" if wire.is_motor else "series_2"
    _paint_wire(
        painter, theme, plug + QPointF(_PLUG_PX / 2, 0.0), QPointF(box.left(), plug.y()), token
    )
    note = ", ".join(text for text in (wire.signal, wire.note) if text)
    _paint_box(painter, theme, box, wire.part, note)
    if wire.bank:
        place = QRectF(plug.x() + _PLUG_PX, plug.y() - 18.0, box.left() - plug.x() - _PLUG_PX, 16.0)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("muted"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"bank {wire.bank}")


def _paint_wire(painter: QPainter, theme: Theme, start: QPointF, end: QPointF, token: str) -> None:
    painter.setPen(QPen(theme.color(token), 2.5))
    painter.drawLine(start, end)


def _paint_plug(
    painter: QPainter, theme: Theme, place: QPointF, text: str, *, is_left: bool
) -> None:
    plug = QRectF(place.x() - _PLUG_PX / 2, place.y() - _PLUG_PX / 2, _PLUG_PX, _PLUG_PX)
    painter.setPen(QPen(theme.color("line"), 1.0))
    painter.setBrush(theme.color("accent"))
    painter.drawRect(plug)
    align = Qt.AlignmentFlag.AlignVCenter
    words = QRectF(plug.right() + 4, place.y() - 10, 90, 20)
    if not is_left:
        words.moveRight(plug.left() - 4)
    align |= Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
    painter.setFont(theme.font("small"))
    painter.setPen(theme.color("text"))
    painter.drawText(words, align, text)


def _paint_box(painter: QPainter, theme: Theme, box: QRectF, text: str, note: str) -> None:
    painter.setPen(QPen(theme.color("line"), 1.0))
    painter.setBrush(theme.color("raised"))
    painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
    inside = box.adjusted(8, 2, -6, -2)
    painter.setPen(theme.color("text"))
    painter.setFont(theme.font("small", bold=True))
    top = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    align = top if note else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(inside, align, text)
    if note:
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("muted"))
        bottom = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.drawText(inside, bottom, note)


def _svg(size: QSizeF, theme: Theme, wiring: Wiring) -> bytes:
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size.toSize())
    generator.setViewBox(QRect(0, 0, round(size.width()), round(size.height())))
    generator.setTitle(wiring.title)
    with QPainter(generator) as painter:
        paint_wiring(painter, size, theme, wiring)
    return bytes(buffer.data().data())


def _png(size: QSizeF, theme: Theme, wiring: Wiring) -> bytes:
    image = QImage((size * _PICTURE_SCALE).toSize(), QImage.Format.Format_ARGB32)
    with QPainter(image) as painter:
        painter.scale(_PICTURE_SCALE, _PICTURE_SCALE)
        paint_wiring(painter, size, theme, wiring)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return bytes(buffer.data().data())


def _y(board: QRectF, row: int) -> float:
    return board.top() + (row + 0.5) * _ROW_PX


def _height(wiring: Wiring) -> float:
    return _TOP_PX + max(len(wiring.outputs), len(wiring.ports), 1) * _ROW_PX + 10.0


def _words(wiring: Wiring) -> str:
    """The picture for whoever has it read aloud."""
    outputs = [f"output {wire.output}: {wire.part}" for wire in wiring.outputs]
    ports = [f"{port.port}: {port.part}" for port in wiring.ports if port.part]
    return f"Wiring. {', '.join([*outputs, *ports])}"
