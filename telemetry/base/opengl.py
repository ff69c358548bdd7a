"""OpenGL without a window, for the simulator's pictures and the station's 3-D view.

Neither of the two may import the other.

moderngl is loaded where it is first needed.
"""

import platform
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# On Linux there need not be a display.
_BACKEND: Final[dict[str, Any]] = {"backend": "egl"} if platform.system() == "Linux" else {}
CAN_CHOOSE_DEVICE: Final = bool(_BACKEND)
"""Whether `device_index` says by which of several devices is drawn."""
_SOFTWARE: Final = ("llvmpipe", "softpipe", "swrast", "swiftshader", "basic render", "gdi generic")

BACKGROUND_CORNERS: Final = np.array([-1, -1, 3, -1, -1, 3], np.float32)
"""Of one triangle that covers the whole picture, for BACKGROUND_VERTEX's `corner`."""
BACKGROUND_VERTEX: Final = """
#version 330
uniform mat3 to_ned;
uniform vec2 half_size;
in vec2 corner;
out vec3 way;
void main() {
    way = to_ned * vec3(1.0, corner.x * half_size.x, corner.y * half_size.y);
    gl_Position = vec4(corner, 1.0, 1.0);
}
"""
"""Behind everything; `way` is the direction in NED in which a pixel looks."""


def standalone_context(**options: Any) -> Any:
    """A moderngl context for the calling thread. Raises whatever drivers and moderngl raise."""
    import moderngl

    return moderngl.create_context(standalone=True, **_BACKEND, **options)


def renderer_of(context: Any) -> str:
    """What draws, as it calls itself."""
    return str(context.info.get("GL_RENDERER", "OpenGL"))


def draws_in_software(context: Any) -> bool:
    """Whether processors draw, in the place of a graphics card."""
    name = renderer_of(context).lower()
    return any(word in name for word in _SOFTWARE)


def projection(half: tuple[float, float], nearest_m: float, farthest_m: float) -> Floats:
    """From a camera's axes (x along its line of sight, y right, z down) to clip space, (4, 4), the
    picture's rows from the top. `half` are the tangents of half its angles of view, across and
    down."""
    scale = (farthest_m + nearest_m) / (farthest_m - nearest_m)
    shift = -2.0 * farthest_m * nearest_m / (farthest_m - nearest_m)
    return np.array(
        [
            [0.0, 1.0 / half[0], 0.0, 0.0],
            [0.0, 0.0, 1.0 / half[1], 0.0],
            [scale, 0.0, 0.0, shift],
            [1.0, 0.0, 0.0, 0.0],
        ]
    )


def column_bytes(matrix: Floats) -> bytes:
    """As OpenGL takes matrices: column by column."""
    return np.ascontiguousarray(matrix.T, np.float32).tobytes()


def upload_texture(context: Any, pixels: npt.NDArray[np.uint8]) -> Any:
    """A texture, which repeats, with its smaller sizes, of (height, width) or (height, width, 3)
    numbers."""
    height, width = pixels.shape[:2]
    # Four bytes a pixel, whatever is used of them: drawn in software, others take twice as long.
    padded = np.full((height, width, 4), 255, np.uint8)
    padded[..., :3] = pixels if pixels.ndim == 3 else pixels[..., None]
    texture = context.texture((width, height), 4, padded.tobytes())
    texture.build_mipmaps()
    return texture
