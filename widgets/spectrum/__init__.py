"""Spectrum charts: lines and maps over frequency."""
