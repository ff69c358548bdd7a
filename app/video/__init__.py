"""Video export: what a flight's video shows, and beside it what the station shows."""
