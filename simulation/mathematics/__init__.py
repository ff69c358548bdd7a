"""Mathematics of the compiled loop: quaternions and random numbers."""
