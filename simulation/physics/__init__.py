"""The laws of motion: bodies, rotors, wings, ground, battery."""
