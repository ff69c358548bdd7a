"""Tuning: gains of stabilization searched in simulation, robust over what is not known."""
