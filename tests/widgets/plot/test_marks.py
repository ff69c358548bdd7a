"""Marks of a plot: the instants below its curves."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from widgets.plot.marks import paint_time_axis
from widgets.plot.picture import Picture, Sheet
from widgets.plot.window import Span
from widgets.text_layout_cache import TextLayoutCache
from widgets.theme import load_theme

WIDTH_PX = 600


@pytest.mark.parametrize("area_px", [540, 300, 160, 100])
def test_instants_do_not_lie_on_each_other_beside_the_legend_of_another_plot(
    area_px: int, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plot is as narrow as the one above it, whose legend takes the room at its right."""
    drawn: list[tuple[float, float]] = []

    def note(cache: TextLayoutCache, _at: QPainter, x: float, _y: float, text: str) -> None:
        drawn.append((x, x + cache.width(text)))

    monkeypatch.setattr(TextLayoutCache, "draw_on", note)
    theme = load_theme("dark")
    picture = Picture(Span(0.0, 131.0), Span(0.0, 1.0))
    sheet = Sheet(picture, QRectF(50, 10, area_px, 200), theme)
    image = QImage(WIDTH_PX, 240, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        paint_time_axis(painter, sheet, WIDTH_PX, TextLayoutCache(theme.font("small")))
    assert len(drawn) > 1
    assert all(end < begin for (_, end), (begin, _) in pairwise(drawn))
