"""Spectra on screen: lines and maps over frequency."""
