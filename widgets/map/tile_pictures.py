"""Tile pictures: whether a file from a tile source is a picture of a tile."""

from PySide6.QtCore import QBuffer, QByteArray, QSize
from PySide6.QtGui import QImage, QImageReader

_LARGEST_PX = 1024
_FORMATS = ("png", "jpeg", "webp")


class NoPictureError(OSError):
    """Something came that is no tile: the page of a portal that wants a log-in, for one."""


def decode_tile(data: bytes) -> QImage:
    """The picture in a file; a null one if it is none of a tile's formats and sizes."""
    buffer, reader = _reader(data)
    picture = reader.read() if _is_tile(reader) else QImage()
    buffer.close()
    return picture


def check_tile(data: bytes) -> None:
    """Raise NoPictureError unless a file begins as a picture of a tile's format and size."""
    buffer, reader = _reader(data)
    is_tile = _is_tile(reader)
    buffer.close()
    if not is_tile:
        raise NoPictureError("what came is no picture of a tile")


def _reader(data: bytes) -> tuple[QBuffer, QImageReader]:
    """The buffer too, which has to live as long as its reader."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    return buffer, QImageReader(buffer)


def _is_tile(reader: QImageReader) -> bool:
    is_format = bytes(reader.format().data()).decode("latin-1") in _FORMATS
    size = reader.size() if is_format else QSize()
    return size.isValid() and size.width() == size.height() <= _LARGEST_PX
