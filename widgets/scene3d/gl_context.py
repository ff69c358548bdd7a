"""OpenGL context without a window: the border to the graphics driver, whatever fails there.

A QOpenGLWidget would have the whole window drawn by OpenGL and, when it comes into one that shows,
have that window made anew.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from telemetry.base.opengl import standalone_context


class NoOpenGLError(Exception):
    """This computer gives no OpenGL 3.3, or no longer does; the message says why."""


def open_gl() -> Any:
    """A moderngl context for the calling thread. Raises NoOpenGLError."""
    try:
        return standalone_context(require=330)
    except Exception as error:  # drivers and moderngl raise no kind of their own
        raise NoOpenGLError(str(error)) from error


@contextmanager
def driver_errors() -> Iterator[None]:
    """Has what the driver refuses raise NoOpenGLError."""
    import moderngl

    try:
        yield
    except moderngl.Error as error:
        raise NoOpenGLError(str(error)) from error


def make_wait(gl: Any) -> Callable[[], None]:
    """A function that waits until all is drawn and lets other threads run meanwhile, which
    moderngl's own does not."""
    address = gl.mglo._context.load("glFinish")
    kind = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)
    wait: Callable[[], None] = kind(None)(address) if address else gl.finish
    return wait
