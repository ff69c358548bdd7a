"""Manoeuvres, each step for itself, without a board."""
