"""On-screen sticks, two of them, in the mode that the pilot is used to."""

from collections.abc import Callable, Mapping

from plugins.pilot.devices.profile import MODES, sticks_in_mode
from telemetry.flying.inputs.stick_controls import StickControl
from telemetry.vehicle.sticks import Sticks
from widgets.stick_view import StickView

USUAL_MODE = 2


class ScreenSticks:
    """Two StickViews, `left` and `right`. `on_moved` is told where a stick was dragged: its two
    controls, in the units of Sticks."""

    def __init__(self) -> None:
        self.mode = USUAL_MODE
        self.on_moved: Callable[[Mapping[StickControl, float]], None] = lambda _moved: None
        self.left = StickView("Yaw", "Throttle", keeps_y=True)
        self.right = StickView("Roll", "Pitch")
        self.left.moved.connect(lambda x, y: self._move(0, x, y))
        self.right.moved.connect(lambda x, y: self._move(2, x, y))

    def set_mode(self, mode: object) -> None:
        """Say which stick has what (1 to 4); what is no mode is no error."""
        if isinstance(mode, int) and mode in MODES:
            self.mode = mode
            titles = [control.capitalize() for control in sticks_in_mode(mode)]
            self.left.name_axes(titles[0], titles[1])
            self.right.name_axes(titles[2], titles[3])

    def show(self, sticks: Sticks, *, springs: bool) -> None:
        """Put the knobs where the sticks are; a throttle that `springs` returns to the middle."""
        at: Mapping[StickControl, float] = {
            "roll": sticks.roll,
            "pitch": -sticks.pitch,
            "yaw": sticks.yaw,
            "throttle": 2.0 * sticks.throttle - 1.0,
        }
        names = sticks_in_mode(self.mode)
        for view, x, y in ((self.left, names[0], names[1]), (self.right, names[2], names[3])):
            view.keeps_y = y == "throttle" and not springs
            view.show_position(at[x], at[y])

    def _move(self, first: int, x: float, y: float) -> None:
        sideways, forward = sticks_in_mode(self.mode)[first : first + 2]
        raised = (y + 1.0) / 2.0 if forward == "throttle" else -y
        self.on_moved({sideways: x, forward: raised})
