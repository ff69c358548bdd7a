"""Worlds that aircraft fly over: scenes as triangles, and the pictures and films taken of them."""
