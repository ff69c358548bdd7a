"""State estimation on board: attitude, position and velocity from sensors."""
