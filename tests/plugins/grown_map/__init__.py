"""The map that is built of what the aircraft sees."""
