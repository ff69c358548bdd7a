"""Missions on board: encoded as objects, carried there and back, compared."""
