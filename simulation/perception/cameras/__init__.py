"""Cameras: the picture that arrives of a scene, and the truth of every pixel."""
