"""Perception: the sensors that look at the world, one module a kind, and what carries them."""
