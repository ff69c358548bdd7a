"""Simulated autopilot: modules that talk only through UAVObjects, behind a flight session."""
