"""Earth: its ellipsoid and its magnetic field."""
