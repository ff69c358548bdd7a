"""Manual text: one page of Markdown in the colours of the theme.

It reads its own folder's pictures and nothing else: no network, and no other file.
"""

import re
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QPoint, QRegularExpression, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QFont,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from widgets.theme import Size, Theme

_FEATURES: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_HEADINGS: Final[dict[int, Size]] = {1: "display", 2: "title", 3: "body"}
_MARGIN_PX: Final = 24
_LINE_PERCENT: Final = 140.0
_PICTURE: Final = "\ufffc"
_AGAIN_MS: Final = 100
"""So long after the last change of its size pictures are fitted anew."""


class ManualText(QTextBrowser):
    """Shows a page; what a link leads to is emitted by `anchorClicked` and not followed."""

    def __init__(self, theme: Theme, folder: Path) -> None:
        super().__init__()
        self._theme, self._folder = theme, folder
        self._markdown, self._words = "", list[str]()
        self._width_px = 0
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # one width for all
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._fit_pictures)

    def show_text(self, markdown: str) -> None:
        """Show this text from its beginning."""
        self._markdown = markdown
        self._width_px = self.viewport().width()
        document = self.document()
        document.setDocumentMargin(_MARGIN_PX)
        document.setMarkdown(markdown, _FEATURES)
        self._lay_out()
        self.moveCursor(QTextCursor.MoveOperation.Start)  # Qt keeps its cursor in sight
        self.verticalScrollBar().setValue(0)

    def go_to(self, heading: str) -> bool:
        """Put a heading at the top. False if there is none of these words."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and block.text() == heading:
                self.verticalScrollBar().setValue(self._top_px(block) - _MARGIN_PX // 2)
                return True
            block = block.next()
        return False

    def mark(self, words: list[str]) -> None:
        """Mark where these words stand."""
        self._words = words
        look = QTextCharFormat()
        look.setBackground(self._theme.color("accent_soft"))
        marked = []
        for word in words:
            pattern = QRegularExpression(
                QRegularExpression.escape(word),
                QRegularExpression.PatternOption.CaseInsensitiveOption,
            )
            cursor = self.document().find(pattern)
            while not cursor.isNull():
                selection = QTextEdit.ExtraSelection()
                selection.cursor, selection.format = cursor, look
                marked.append(selection)
                cursor = self.document().find(pattern, cursor)
        self.setExtraSelections(marked)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes, at the same place of the text."""
        self._theme = theme
        self._show_again()

    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        """A picture of the manual's folder, no wider than the text; nothing else."""
        path = (self._folder / QUrl(url).path()).resolve()
        is_ours = QUrl(url).isRelative() and path.is_relative_to(self._folder.resolve())
        if kind != QTextDocument.ResourceType.ImageResource.value or not is_ours:
            return None
        picture = QImage(str(path))
        room_px = max(1, self._width_px - 2 * _MARGIN_PX)
        if picture.isNull() or picture.width() <= room_px:
            return picture
        ratio = self.devicePixelRatioF()
        picture = picture.scaledToWidth(
            min(picture.width(), round(room_px * ratio)), Qt.TransformationMode.SmoothTransformation
        )
        picture.setDevicePixelRatio(picture.width() / room_px)
        return picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.viewport().width() != self._width_px:
            self._again.start(_AGAIN_MS)

    def _fit_pictures(self) -> None:
        if self.viewport().width() != self._width_px:
            self._show_again()

    def _show_again(self) -> None:
        """Keep what stands at the top there."""
        bar = self.verticalScrollBar()
        number = self.cursorForPosition(QPoint(0, 0)).blockNumber()
        into_px = bar.value() - self._top_px(self.document().findBlockByNumber(number))
        self.show_text(self._markdown)
        self.mark(self._words)
        bar.setValue(self._top_px(self.document().findBlockByNumber(number)) + into_px)

    def _top_px(self, block: QTextBlock) -> int:
        return round(self.document().documentLayout().blockBoundingRect(block).top())

    def _lay_out(self) -> None:
        """Sizes, spaces and colours, which Markdown does not say."""
        block = self.document().begin()
        while block.isValid():
            self._lay_out_block(block)
            block = block.next()
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._lay_out_table(frame)

    def _lay_out_block(self, block: QTextBlock) -> None:
        kind, place = block.blockFormat(), QTextBlockFormat()
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        if level := kind.headingLevel():
            place.setTopMargin(self._theme.font_px("body") * (0.0 if level == 1 else 1.4))
            place.setBottomMargin(self._theme.font_px("body") * 0.6)
            cursor.setCharFormat(self._look(_HEADINGS.get(level, "body"), QFont.Weight.DemiBold))
        elif kind.hasProperty(QTextFormat.Property.BlockCodeFence):
            place.setBackground(self._theme.color("raised"))
            look = QTextCharFormat()
            look.setProperty(QTextFormat.Property.FontPixelSize, self._theme.font_px("small"))
            cursor.mergeCharFormat(look)
        else:
            self._lay_out_paragraph(block, place)
        QTextCursor(block).mergeBlockFormat(place)

    def _lay_out_paragraph(self, block: QTextBlock, place: QTextBlockFormat) -> None:
        if _PICTURE not in block.text():  # its line is as high as the picture
            proportional = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
            place.setLineHeight(_LINE_PERCENT, proportional)
        if QTextCursor(block).currentTable() is None and block.textList() is None:
            place.setTopMargin(self._theme.font_px("body") * 0.6)
            place.setBottomMargin(self._theme.font_px("body") * 0.6)
        if block.blockFormat().hasProperty(QTextFormat.Property.BlockQuoteLevel):
            place.setBackground(self._theme.color("accent_soft"))

    def _look(self, size: Size, weight: QFont.Weight) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setProperty(QTextFormat.Property.FontPixelSize, self._theme.font_px(size))
        look.setFontWeight(weight)
        return look

    def _lay_out_table(self, table: QTextTable) -> None:
        look = table.format()
        look.setBorder(0)
        look.setBorderCollapse(True)
        look.setCellPadding(4)
        look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        table.setFormat(look)
        for row in range(table.rows()):
            for column in range(table.columns()):
                cell = table.cellAt(row, column)
                line = cell.format().toTableCellFormat()
                line.setBottomBorder(1)
                line.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                line.setBottomBorderBrush(self._theme.color("line"))
                cell.setFormat(line)


def as_quotation(title: str, text: str) -> str:
    """A panel's title and text as a quotation in Markdown, as they are written: they may be
    anybody's."""
    return f"> **{_escaped(title)}** {_escaped(text)}\n\n"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~=&])", r"\\\1", " ".join(text.split()))
