"""Sensor calibration: fits of readings, and the procedures that take them."""
