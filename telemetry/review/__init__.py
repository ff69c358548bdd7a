"""Reviewing a flight: flights, cameras, playback, analysis, maps that grow."""
