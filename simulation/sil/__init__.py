"""Software in the loop: other algorithms in the place of the on-board ones."""
