"""On-board logs: fetching, reading and erasing what a board recorded, and what it records."""
