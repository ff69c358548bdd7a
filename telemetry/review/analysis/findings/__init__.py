"""Flight findings: what stands out in a recorded flight, over all of it; a file per kind."""
