"""Studies: many flights of one scenario, or calls of one function, with parameters that vary."""
