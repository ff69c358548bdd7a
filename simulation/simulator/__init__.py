"""Simulator: one aircraft or a fleet in flight, its world, controls and external forces."""
