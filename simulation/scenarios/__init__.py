"""Scripted flights: what is flown, by whom, and how it went."""
