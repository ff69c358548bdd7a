"""Calibration fits: readings collected, and fitted to the values of settings."""
