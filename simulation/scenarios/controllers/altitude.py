"""Altitude controller with two throttles, as in seed 003 (appendix B.2, lines 335 to 342)."""

from typing import Final

BEGIN: Final = 0.3835
"""The throttle until the first limit is passed."""
SINKING: Final = 0.382
CLIMBING: Final = 0.385
LOWER_M: Final = 1.3
UPPER_M: Final = 1.7


class AltitudeSwitch:
    """Above UPPER_M it takes one throttle, below LOWER_M another, and in between what it took
    before."""

    def __init__(self, sinking: float = SINKING, climbing: float = CLIMBING) -> None:
        self._sinking, self._climbing = sinking, climbing
        self._throttle = BEGIN

    def at(self, height_m: float) -> float:
        """The throttle for that height."""
        if height_m > UPPER_M:
            self._throttle = self._sinking
        elif height_m < LOWER_M:
            self._throttle = self._climbing
        return self._throttle
