"""OpenGL without a window: the border to the graphics driver, whatever fails there."""

import platform
from typing import Any

from simulation.worlds.film_error import NoRendererError

# On Linux there need not be a display.
_BACKEND: dict[str, Any] = {"backend": "egl"} if platform.system() == "Linux" else {}
_REMEDY = {
    "Linux": "install Mesa's OpenGL: on Debian and Ubuntu "
    "'apt-get install libegl1 libgl1 libgl1-mesa-dri'",
}


def open_context() -> Any:
    """A moderngl context of its own. Raises NoRendererError."""
    import moderngl

    try:
        return moderngl.create_context(standalone=True, **_BACKEND)
    except Exception as error:  # drivers and moderngl raise no kind of their own
        remedy = _REMEDY.get(platform.system(), "install your graphics card's driver")
        raise NoRendererError(
            f"This computer cannot draw the camera's pictures ({error}); {remedy}."
        ) from error
