"""Automatic synchronisation against films of simulated flights, whose truth is known."""
