"""Names of pixel truth: what a simulated camera knows of each pixel; loads nothing."""

from typing import Final

PIXEL_TRUTH: Final = ("depth_m", "segment", "flow_px")
"""Names in CameraTruth; each takes more memory than the picture."""
