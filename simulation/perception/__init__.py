"""Sensors that look at the world: what carries them in simulated time, and one module a kind."""
