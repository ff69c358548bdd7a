"""What is around the aircraft: the Earth, its field, the air and the wind."""
