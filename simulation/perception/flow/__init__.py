"""Optic flow: what moves in pictures, and sensors that tell no more than that."""
