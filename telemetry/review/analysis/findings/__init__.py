"""What stands out in a recorded flight, worked out over the whole recording: a file per kind."""
