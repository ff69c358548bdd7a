"""Texts that instruments paint themselves: where each of them stands on a picture."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from widgets.text_layout_cache import CENTRE, TextLayoutCache

_ROUNDING_PX = 1.0


@dataclass(frozen=True)
class PaintedText:
    """A text and the box of its capitals; `is_scrolled` says that it moves below an edge."""

    text: str
    box: QRectF
    is_scrolled: bool


class PaintedTexts:
    """Notes what is painted while a picture of a widget is taken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._noted: list[PaintedText] = []
        draw = TextLayoutCache.draw

        def note(
            cache: TextLayoutCache,
            painter: QPainter,
            x: float,
            y: float,
            text: str,
            anchor: float = CENTRE,
        ) -> None:
            width, height = cache.width(text), cache.cap_height
            box = QRectF(x - width * anchor, y - height / 2, width, height)
            on_picture = painter.combinedTransform().mapRect(box)
            if text:
                self._noted.append(PaintedText(text, on_picture, painter.hasClipping()))
            draw(cache, painter, x, y, text, anchor)

        monkeypatch.setattr(TextLayoutCache, "draw", note)

    def faults(self, widget: QWidget) -> list[str]:
        """One line for each text that leaves the picture of a widget or lies on another."""
        self._noted.clear()
        picture = QRectF(widget.grab().toImage().rect())
        inside = picture.adjusted(-_ROUNDING_PX, -_ROUNDING_PX, _ROUNDING_PX, _ROUNDING_PX)
        fixed = [one for one in self._noted if not one.is_scrolled]
        assert fixed, "nothing was painted"
        found = [
            f"“{one.text}” leaves the picture" for one in fixed if not inside.contains(one.box)
        ]
        for number, one in enumerate(fixed):
            for other in fixed[number + 1 :]:
                if one.box.intersects(other.box) and one.text != other.text:
                    found.append(f"“{one.text}” lies on “{other.text}”")
        return found
