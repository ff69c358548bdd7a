"""Missions as objects of a board: encoded, carried there and back, compared."""
