"""Actuator test: motors and servos moved one by one, with the propellers off."""
