"""OpenGL without a window: the border to the graphics driver, whatever fails there."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from simulation.worlds.film_error import NoRendererError
from telemetry.base.opengl import (
    CAN_CHOOSE_DEVICE,
    draws_in_software,
    renderer_of,
    standalone_context,
)

_MOST_DEVICES: Final = 8
_MESA: Final = "LIBGL_ALWAYS_SOFTWARE"
_REMEDY: Final = {
    "Linux": "install Mesa's OpenGL: on Debian and Ubuntu "
    "'apt-get install libegl1 libgl1 libgl1-mesa-dri'",
}


def open_context(is_gpu: bool = False) -> Any:
    """A moderngl context of its own. Without `is_gpu` one that draws in software, where there is
    one: the same picture on every machine that has the same. Raises NoRendererError."""
    if is_gpu or not CAN_CHOOSE_DEVICE:
        return _create()
    with _environment(_MESA, "1"):
        first = _create()
        if draws_in_software(first):
            return first
        first.release()
        for device in range(1, _MOST_DEVICES):
            try:
                context = _create(device_index=device)
            except NoRendererError:
                break
            if draws_in_software(context):
                return context
            context.release()
    return _create()


def renderer_name(context: Any) -> str:
    """What draws, as it calls itself."""
    return f"{renderer_of(context)}, OpenGL {context.info['GL_VERSION']}"


def _create(**options: Any) -> Any:
    try:
        return standalone_context(**options)
    except Exception as error:  # drivers and moderngl raise no kind of their own
        remedy = _REMEDY.get(platform.system(), "install your graphics card's driver")
        raise NoRendererError(
            f"This computer cannot draw the camera's pictures ({error}); {remedy}."
        ) from error


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """A variable for the driver, as long as it starts."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
