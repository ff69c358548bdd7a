"""A joystick without hardware, made by SDL itself: the station finds it as any other.

Any thread may hold it: SDL locks what it shares (SDL_LockJoysticks, SDL_joystick.c).
"""

import ctypes
from types import ModuleType
from typing import Any

import pytest

from plugins.pilot.devices.joysticks import load_sdl

FULL = 32767


class SdlJoystick:
    """An RC transmitter by USB, which SDL has no mapping for, or what `kind` says. Plugged in."""

    def __init__(
        self,
        kind: str = "UNKNOWN",
        axes: int = 4,
        buttons: int = 8,
        usb_numbers: tuple[int, int] = (0, 0),
    ) -> None:
        """`usb_numbers` is vendor and product."""
        self.name = "Virtual transmitter"
        self._sdl = _started()
        described = self._sdl.SDL_VirtualJoystickDesc()
        described.version = self._sdl.SDL_VIRTUAL_JOYSTICK_DESC_VERSION
        described.type = getattr(self._sdl, f"SDL_JOYSTICK_TYPE_{kind}")
        described.naxes, described.nbuttons = axes, buttons
        described.vendor_id, described.product_id = usb_numbers
        described.name = self.name.encode()
        self._described = described
        self._handle: Any = None
        self.plug_in()

    def plug_in(self) -> None:
        """Its sticks are in the middle, its buttons up."""
        sdl = self._sdl
        self._index = sdl.SDL_JoystickAttachVirtualEx(ctypes.byref(self._described))
        assert self._index >= 0, sdl.SDL_GetError()
        self._handle = sdl.SDL_JoystickOpen(self._index)

    def unplug(self) -> None:
        """Once more is fine."""
        if self._handle is not None:
            self._sdl.SDL_JoystickClose(self._handle)
            self._sdl.SDL_JoystickDetachVirtual(self._index)
        self._handle = None

    def push(self, axis: int, share: float) -> None:
        """`share` of its travel, -1 to 1."""
        self._sdl.SDL_JoystickSetVirtualAxis(self._handle, axis, round(share * FULL))

    def press(self, button: int, *, is_down: bool = True) -> None:
        """Hold a button down, or let it go."""
        self._sdl.SDL_JoystickSetVirtualButton(self._handle, button, int(is_down))

    def end(self) -> None:
        """Unplug it, and let go of SDL."""
        self.unplug()
        self._sdl.SDL_QuitSubSystem(self._sdl.SDL_INIT_GAMECONTROLLER | self._sdl.SDL_INIT_JOYSTICK)


def _started() -> ModuleType:
    sdl = load_sdl()
    if sdl is None:
        pytest.skip("no SDL library on this machine")
    return sdl
