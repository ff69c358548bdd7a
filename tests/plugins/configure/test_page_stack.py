"""Pages are imported while the window answers."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.api import Page, PanelContext
from plugins.configure.page_stack import PageStack
from telemetry.vehicle.vehicle import Fleet
from widgets.theme import load_theme

SLOW = """
from PySide6.QtWidgets import QLabel
from tests.plugins.configure.test_page_stack import may_go_on

assert may_go_on.wait(30.0)

def Slow(context):
    return QLabel("slow")
"""
may_go_on = Event()
"""The import of the page waits for it."""


def test_the_window_answers_while_a_page_is_imported(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_page.py").write_text(SLOW, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    may_go_on.clear()
    with ThreadPoolExecutor(1) as jobs:
        context = PanelContext(Fleet(), load_theme("light"), jobs)
        page = Page("slow", "Slow", "slow_page:Slow", order=1)
        stack = PageStack(context, {"slow": page})
        qtbot.addWidget(stack)
        stack.show_page("slow")
        for _ in range(3):
            qapp.processEvents()
        assert stack.is_building
        may_go_on.set()
        qtbot.waitUntil(lambda: not stack.is_building)
        shown = stack.page("slow")
        assert shown is not None
        assert shown.text() == "slow"
        stack.close_pages()
    del sys.modules["slow_page"]
