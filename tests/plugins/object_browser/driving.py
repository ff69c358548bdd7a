"""The object browser as a user drives it, for several test files."""

from typing import Literal

from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.object_browser.model import ObjectModel
from plugins.object_browser.nodes import SourceNode
from plugins.object_browser.panel import BrowserPanel
from plugins.object_browser.rows import VALUE
from plugins.object_browser.values import ValueNode
from telemetry.recording.recording import Recording
from tests.plugins.object_browser.fakes import Clock, FakeCommands, make_context

BANK = "StabilizationSettingsBank1"


class Browser:
    """A panel on a recording, or in a context of its own, with shorthands for what a user looks at
    and does."""

    def __init__(self, qtbot: QtBot, on: Recording | VehicleContext) -> None:
        self.clock = Clock()
        self.commands = FakeCommands()
        if isinstance(on, VehicleContext):
            self.context = on
        else:
            self.context, self.commands = make_context(on)
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
        """One tick of the station."""
        self.t = self.t if t is None else t
        self.context.configuration.poll()
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

    def answer(self, state: Literal["done", "failed"], text: str = "") -> None:
        """The board answers what it was told to do, and all reading before and after."""
        self.refresh()
        self._let_read()
        self.commands.finish(state, text)
        self.refresh()
        self._let_read()

    def _let_read(self) -> None:
        settings = self.context.configuration
        while settings.is_busy and self.commands.is_reading:
            self.commands.finish("done")
            self.refresh()
