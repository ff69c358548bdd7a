"""Calibration procedures on a live aircraft: their recipes, runs and status."""
