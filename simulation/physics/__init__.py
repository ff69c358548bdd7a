"""The laws of motion: bodies, rotors, ground, battery."""
