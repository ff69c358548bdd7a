"""What a simulated camera knows of every pixel of a picture; loads nothing, for command lines."""

from typing import Final

PIXEL_TRUTH: Final = ("depth_m", "segment", "flow_px")
"""Names in CameraTruth; each takes more memory than the picture."""
