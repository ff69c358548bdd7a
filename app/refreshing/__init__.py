"""Refreshing: the one timer of the station, and what gives way where the computer is too slow."""
