"""Plugins: found, imported, and what they bring to the station's tables."""
