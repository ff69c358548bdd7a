"""Joysticks, game controllers and RC transmitters by USB, through SDL.

All functions belong to one thread, which SDL requires.
"""

import ctypes
import warnings
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from plugins.pilot.devices.default_profiles import gamepad_profile
from plugins.pilot.devices.source import BoardJoystick, ControlSource, DeviceKind
from plugins.pilot.devices.space_mouse import is_space_mouse
from telemetry.flying.inputs.reading import Reading
from telemetry.protocol.links.usb_boards import bare_serial, is_board

_FULL: Final = 32767.0
_GUID_BYTES: Final = 33
_LONGEST_NAME: Final = 80
_HAT_PARTS: Final = (1, 2, 4, 8)
"""Up, right, down and left of a hat, each counted as a button."""

_HINTS: Final = {
    b"SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS": b"1",  # the station's windows are not SDL's
    b"SDL_NO_SIGNAL_HANDLERS": b"1",
    b"SDL_JOYSTICK_THREAD": b"1",  # on Windows, hot-plugging needs a thread with messages
}


def load_sdl() -> ModuleType | None:
    """Start SDL's joystick part, once more if it runs; None where no SDL library can be loaded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PySDL2 announces which library file it took
            import sdl2
    except (ImportError, OSError):
        return None
    module: ModuleType = sdl2
    for name, value in _HINTS.items():
        module.SDL_SetHint(name, value)
    if module.SDL_InitSubSystem(_parts(module)) != 0:
        return None
    module.SDL_JoystickEventState(module.SDL_IGNORE)  # read, never queued
    return module


def _parts(sdl: ModuleType) -> int:
    return int(sdl.SDL_INIT_GAMECONTROLLER | sdl.SDL_INIT_JOYSTICK)


class Joystick:
    """One device of SDL's: axes as they are, in all of their resolution; a hat is four buttons."""

    def __init__(self, sdl: ModuleType, handle: Any, kind: DeviceKind) -> None:
        self.kind = kind
        self._sdl = sdl
        self._handle = handle
        self._axes = range(sdl.SDL_JoystickNumAxes(handle))
        self._buttons = range(sdl.SDL_JoystickNumButtons(handle))
        self._hats = range(sdl.SDL_JoystickNumHats(handle))

    def poll(self, now_s: float) -> Reading | None:
        sdl, handle = self._sdl, self._handle
        if handle is None or not sdl.SDL_JoystickGetAttached(handle):
            return None
        axis, button = sdl.SDL_JoystickGetAxis, sdl.SDL_JoystickGetButton
        axes = [max(-1.0, axis(handle, number) / _FULL) for number in self._axes]
        buttons = [bool(button(handle, number)) for number in self._buttons]
        for hat in self._hats:
            value = sdl.SDL_JoystickGetHat(handle, hat)
            buttons.extend(bool(value & part) for part in _HAT_PARTS)
        return Reading(tuple(axes), tuple(buttons), now_s)

    def close(self) -> None:
        if self._handle is not None:
            self._sdl.SDL_JoystickClose(self._handle)
        self._handle = None


class JoystickFinder:
    """Opens every device that SDL knows, once. Closing it ends what `load_sdl` started."""

    def __init__(self, sdl: ModuleType) -> None:
        self._sdl = sdl
        self._is_open = True
        self._known: frozenset[int] = frozenset()

    def find(self, _now_s: float) -> Sequence[ControlSource]:
        sdl = self._sdl
        sdl.SDL_JoystickUpdate()
        present = {
            int(sdl.SDL_JoystickGetDeviceInstanceID(index)): index
            for index in range(sdl.SDL_NumJoysticks())
        }
        fresh = [index for number, index in present.items() if number not in self._known]
        self._known = frozenset(present)
        found = [self._open(index) for index in fresh]
        return [joystick for joystick in found if joystick is not None]

    def close(self) -> None:
        if self._is_open:
            self._sdl.SDL_QuitSubSystem(_parts(self._sdl))
        self._is_open = False

    def _open(self, index: int) -> Joystick | None:
        sdl = self._sdl
        numbers = sdl.SDL_JoystickGetDeviceVendor(index), sdl.SDL_JoystickGetDeviceProduct(index)
        if is_space_mouse(*numbers):
            return None  # read as what it is
        mapping = None
        if sdl.SDL_IsGameController(index):
            mapping = sdl.SDL_GameControllerMappingForDeviceIndex(index)
        handle = sdl.SDL_JoystickOpen(index)
        if not handle:
            return None
        standard = gamepad_profile(_text(mapping)) if mapping else None
        name = _text(sdl.SDL_JoystickNameForIndex(index))[:_LONGEST_NAME] or "Joystick"
        board = None
        if is_board(*numbers):
            serial = bare_serial(_text(sdl.SDL_JoystickGetSerial(handle)))
            board = BoardJoystick(serial, numbers[1])
        kind = DeviceKind(name, self._guid(index), standard=standard, board=board)
        return Joystick(sdl, handle, kind)

    def _guid(self, index: int) -> str:
        text = ctypes.create_string_buffer(_GUID_BYTES)
        guid = self._sdl.SDL_JoystickGetDeviceGUID(index)
        self._sdl.SDL_JoystickGetGUIDString(guid, text, _GUID_BYTES)
        return text.value.decode("ascii", "replace")


def _text(data: bytes | None) -> str:
    return data.decode("utf-8", "replace") if data else ""
