"""What the 3-D view draws of an instant."""

from pytestqt.qtbot import QtBot

from plugins.view3d.panel import SpacePanel
from widgets.scene3d.draw_request import DrawRequest


def drawn_order(qtbot: QtBot, panel: SpacePanel, t: float) -> DrawRequest:
    """Of what the panel shows of `t`: a picture that was ordered before, or is ordered once more
    because it stands still, may come before that one. The panel stays until the test's end: who
    draws tells it of a picture after that is there."""
    view = panel.view
    qtbot.addWidget(panel, before_close_func=lambda _: panel.view.close_drawing())
    qtbot.waitUntil(lambda: not view.is_behind)
    panel.refresh(t)
    qtbot.waitUntil(lambda: view.picture is not None and view.picture.order.scene is view.scene)
    assert view.picture is not None
    return view.picture.order
