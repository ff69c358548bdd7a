"""Video files: packets, decoding with true times, writing, recorded streams."""
