"""Telemetry: all that the station is made of and that needs neither Qt nor the simulator."""
