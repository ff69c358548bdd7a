"""A browser on ten recorded seconds."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.plugins.object_browser.driving import Browser
from tests.plugins.object_browser.fakes import make_recording


@pytest.fixture
def browser(qtbot: QtBot) -> Iterator[Browser]:
    made = Browser(qtbot, make_recording())
    yield made
    made.context.close()
