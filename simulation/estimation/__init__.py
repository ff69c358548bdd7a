"""What the aircraft believes: attitude, position and velocity from its sensors."""
