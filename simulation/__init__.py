"""Simulator: physics, sensors, worlds, a simulated board, scenarios; runs without Qt."""
