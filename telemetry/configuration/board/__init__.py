"""Flight controller board: what it is, its tasks, and its restart."""
