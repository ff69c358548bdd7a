"""The object browser as a user drives it, for several test files."""

from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from plugins.object_browser.model import ObjectModel
from plugins.object_browser.nodes import SourceNode
from plugins.object_browser.panel import BrowserPanel
from plugins.object_browser.rows import VALUE
from plugins.object_browser.values import ValueNode
from telemetry.recording.recording import Recording
from tests.plugins.object_browser.fakes import Clock, make_context

BANK = "StabilizationSettingsBank1"


class Browser:
    """A panel on a recording, with shorthands for what a user looks at and does."""

    def __init__(self, qtbot: QtBot, recording: Recording | None) -> None:
        self.clock = Clock()
        self.context, self.commands = make_context(recording)
        self.panel = BrowserPanel(self.context, self.clock)
        qtbot.addWidget(self.panel)
        self.panel.resize(1200, 700)
        self.panel.show()
        self.t = 10.0
        self.refresh()

    @property
    def model(self) -> ObjectModel:
        return self.panel.model

    def refresh(self, t: float | None = None) -> None:
        self.t = self.t if t is None else t
        self.panel.refresh(self.t)

    def node(self, key: str) -> ValueNode:
        (node,) = self.model.find({key})
        return node  # type: ignore[return-value]

    def has(self, key: str) -> bool:
        return any(self.model.find({key}))

    def text(self, key: str, column: int = VALUE) -> str:
        text: str = self.model.data(self.model.index_of(self.node(key), column))
        return text

    def state(self, key: str) -> str:
        """What is going on with an object or instance."""
        node = self.node(key)
        assert isinstance(node, SourceNode)
        return node.state_text(self.model.scene)

    def select(self, key: str) -> None:
        self.panel.tree.setCurrentIndex(self.model.index_of(self.node(key)))

    def edit(self, key: str, value: object) -> None:
        """Type into the editor that opens in the tree."""
        index = self.model.index_of(self.node(key), VALUE)
        delegate = self.panel.tree.itemDelegate()
        editor = delegate.createEditor(QWidget(self.panel), QStyleOptionViewItem(), index)
        delegate.setEditorData(editor, index)
        editor.set_value(value)
        delegate.setModelData(editor, self.model, index)
        self.refresh()

    def press(self, name: str) -> None:
        button = self.panel.detail.buttons[name]
        assert button.isEnabled(), name
        button.click() if name != "erase" else self.panel.detail.asked.emit("erase")
        self.refresh()

    def answer(self, state: str, text: str = "") -> None:
        self.commands.tickets[-1].finish(state, text)  # type: ignore[arg-type]
        self.refresh()
