"""Video: reading, decoding and writing files, live cameras, lenses."""
