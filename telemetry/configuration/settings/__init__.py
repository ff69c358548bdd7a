"""Settings of a board: read, staged, transferred, compared, undone, and kept in files and sets."""
