"""Manoeuvres: what buttons, fences, groups and scripts have flown, as state machines."""
