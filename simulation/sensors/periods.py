"""Periods in steps that the program on board reckons with."""

from typing import Final

IMU_PERIOD: Final = 2
"""Between two runs of the program on board, which reads the newest IMU sample."""
MAG_PERIOD: Final = 10
"""Between two magnetometer samples."""
