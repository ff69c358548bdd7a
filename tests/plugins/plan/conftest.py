"""The bench of the plan's views."""

import pytest
from pytestqt.qtbot import QtBot

from tests.plugins.plan.desk_bench import PlanBench


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> PlanBench:
    """Nothing connected, no plan."""
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    return PlanBench(qtbot)
