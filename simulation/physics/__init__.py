"""Physics: bodies, rotors, wings, ground contact, battery."""
