"""The bench of the plan's views."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from plugins.plan.map_panel import PlanMapPanel
from tests.plugins.plan.shared_plan_bench import PlanBench
from tests.telemetry.missions.made import HOME
from widgets.map.projection import GeoPoint, Viewport, project


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[PlanBench]:
    """Nothing connected, no plan."""
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    made = PlanBench(qtbot)
    yield made
    made.close()


@pytest.fixture
def map_panel(bench: PlanBench) -> PlanMapPanel:
    """The map, looking at home."""
    panel = bench.open(PlanMapPanel, (700, 500))
    assert isinstance(panel, PlanMapPanel)
    home = GeoPoint(HOME.latitude_deg, HOME.longitude_deg)
    panel.canvas.set_view(Viewport(*project(home), zoom=18.0))
    panel.canvas.setFocus()
    return panel
