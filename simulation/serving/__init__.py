"""Serving: a simulated aircraft in real time at the end of a link, and its operator's console."""
