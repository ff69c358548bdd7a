"""Audio device: a loudspeaker through SDL; samples are queued and play by themselves.

All functions of one AudioDevice belong to one thread.
"""

import ctypes
import os
import warnings
from types import ModuleType

import numpy as np
import numpy.typing as npt

_BLOCK = 1024
_BYTES = 4


class AudioDevice:
    """Plays mono samples, -1 to 1, at `rate_hz`."""

    def __init__(self, sdl: ModuleType, number: int, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self._sdl = sdl
        self._number = number

    @property
    def queued_s(self) -> float:
        """How much is still to be heard."""
        size = self._sdl.SDL_GetQueuedAudioSize(self._number)
        return float(size) / _BYTES / self.rate_hz

    def queue(self, samples: npt.NDArray[np.float32]) -> None:
        """Play these behind what is queued."""
        packed = np.ascontiguousarray(samples, dtype=np.float32)
        memory = packed.ctypes.data_as(ctypes.c_void_p)
        self._sdl.SDL_QueueAudio(self._number, memory, packed.nbytes)

    def clear(self) -> None:
        """Be silent at once."""
        self._sdl.SDL_ClearQueuedAudio(self._number)

    def close(self) -> None:
        """Let go of the loudspeaker."""
        self._sdl.SDL_CloseAudioDevice(self._number)
        self._sdl.SDL_QuitSubSystem(self._sdl.SDL_INIT_AUDIO)


def open_audio_device(rate_hz: int) -> AudioDevice | None:
    """The usual loudspeaker; None where there is none, or no SDL."""
    os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PySDL2 announces which library file it took
            import sdl2
    except (ImportError, OSError):
        return None
    sdl: ModuleType = sdl2
    if sdl.SDL_InitSubSystem(sdl.SDL_INIT_AUDIO) != 0:
        return None
    wanted = sdl.SDL_AudioSpec(rate_hz, sdl.AUDIO_F32SYS, 1, _BLOCK)
    has_device = sdl.SDL_GetNumAudioDevices(0) > 0  # ALSA complains aloud when opened without
    number = int(sdl.SDL_OpenAudioDevice(None, 0, wanted, None, 0)) if has_device else 0
    if number == 0:
        sdl.SDL_QuitSubSystem(sdl.SDL_INIT_AUDIO)
        return None
    sdl.SDL_PauseAudioDevice(number, 0)
    return AudioDevice(sdl, number, rate_hz)
