"""Simulated sensors: truth with delays, errors and limits."""
