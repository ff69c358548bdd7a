"""Value tiles: a board of tiles with the values that a user watches."""
