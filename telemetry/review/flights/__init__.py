"""Flights under review: logs and videos on one time, kept in a file, matched and synchronised."""
