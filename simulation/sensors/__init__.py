"""What the sensors deliver: truth with delays, errors and limits."""
