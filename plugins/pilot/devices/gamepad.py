"""A game controller read through SDL, hot-plugged.

All functions of one Gamepads belong to one thread, which SDL requires. Sticks are mode 2:
throttle and yaw left, pitch and roll right.
"""

import os
import warnings
from types import ModuleType
from typing import Any

from plugins.pilot.devices.source import DeviceInput
from telemetry.vehicle.sticks import Sticks

SEARCH_EVERY_S = 0.5
DEAD_ZONE = 0.08
EXPO = 0.3
_FULL = 32767.0

# The station has windows of its own and its own signal handling; pads work in the background.
_ENVIRONMENT = {
    "SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS": "1",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_VIDEODRIVER": "dummy",
}


def shape_axis(value: float, dead_zone: float = DEAD_ZONE, expo: float = EXPO) -> float:
    """Calm a stick axis (-1..1): nothing around the middle, gentle near it, full at the stops."""
    size = min(1.0, abs(value))
    if size <= dead_zone:
        return 0.0
    travel = (size - dead_zone) / (1.0 - dead_zone)
    shaped = (1.0 - expo) * travel + expo * travel**3
    return shaped if value > 0 else -shaped


def load_sdl() -> ModuleType | None:
    """Start SDL's controller part; None where no SDL library can be loaded."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PySDL2 announces which library file it took
            import sdl2
    except (ImportError, OSError):
        return None
    module: ModuleType = sdl2
    if module.SDL_Init(module.SDL_INIT_GAMECONTROLLER | module.SDL_INIT_JOYSTICK) != 0:
        return None
    return module


class Gamepads:
    """The first game controller that is plugged in, if any."""

    def __init__(self, sdl: ModuleType) -> None:
        self._sdl = sdl
        self._pad: Any = None
        self._searched_s = -SEARCH_EVERY_S
        self.name = ""

    def read(self, now_s: float) -> DeviceInput | None:
        """The sticks now; a controller that is not there is looked for twice a second."""
        if not self.name and now_s - self._searched_s < SEARCH_EVERY_S:
            return None
        self._searched_s = now_s
        sticks = self.poll()
        return None if sticks is None else DeviceInput(sticks, self.name, now_s)

    def poll(self) -> Sticks | None:
        """The sticks now, or None while no controller is plugged in."""
        sdl = self._sdl
        sdl.SDL_PumpEvents()
        sdl.SDL_FlushEvents(sdl.SDL_FIRSTEVENT, sdl.SDL_LASTEVENT)
        if self._pad is not None and not sdl.SDL_GameControllerGetAttached(self._pad):
            self.close()
        if self._pad is None:
            self._open_first()
        if self._pad is None:
            return None
        return Sticks(
            roll=shape_axis(self._axis(sdl.SDL_CONTROLLER_AXIS_RIGHTX)),
            pitch=shape_axis(self._axis(sdl.SDL_CONTROLLER_AXIS_RIGHTY)),
            yaw=shape_axis(self._axis(sdl.SDL_CONTROLLER_AXIS_LEFTX)),
            throttle=(1.0 - self._axis(sdl.SDL_CONTROLLER_AXIS_LEFTY)) / 2.0,
        )

    def close(self) -> None:
        """Let go of the controller. Doing so twice is fine."""
        if self._pad is not None:
            self._sdl.SDL_GameControllerClose(self._pad)
        self._pad, self.name = None, ""

    def _open_first(self) -> None:
        sdl = self._sdl
        for index in range(sdl.SDL_NumJoysticks()):
            if sdl.SDL_IsGameController(index):
                self._pad = sdl.SDL_GameControllerOpen(index) or None
                if self._pad is not None:
                    text = sdl.SDL_GameControllerName(self._pad)
                    self.name = text.decode("utf-8", "replace") if text else "Game controller"
                return

    def _axis(self, axis: int) -> float:
        """One axis, -1..1; SDL counts right and down (towards the pilot) positive."""
        raw = self._sdl.SDL_GameControllerGetAxis(self._pad, axis)
        return float(max(-1.0, raw / _FULL))
