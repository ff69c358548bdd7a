"""Hardware in the loop: a real flight controller flies our physics by our sensors."""
