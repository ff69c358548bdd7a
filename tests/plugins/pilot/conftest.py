"""Fixtures of the pilot's tests."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.plugins.pilot.panel_cockpit import Cockpit


@pytest.fixture
def cockpit(qtbot: QtBot) -> Iterator[Cockpit]:
    made = Cockpit(qtbot)
    yield made
    made.context.close()
    made.jobs.shutdown()
