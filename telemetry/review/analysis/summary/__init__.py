"""Flight summary: how far, how high, on how much, and how good what was recorded is."""
