"""Sections of an aircraft file, one module per subject: keys, limits, where they go."""
