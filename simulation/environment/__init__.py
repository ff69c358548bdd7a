"""Environment: the Earth, its magnetic field, the air and the wind."""
