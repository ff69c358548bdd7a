"""Instruments: the parts of the primary flight display, painted."""
