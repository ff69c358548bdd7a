"""Missions: flight plans as values; made, checked, kept in files, carried to and from a board."""
