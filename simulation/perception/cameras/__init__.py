"""Cameras: what of a scene arrives as a picture, and what is true of every pixel."""
