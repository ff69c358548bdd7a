"""Flying an aircraft: its controls, what carries them out, manoeuvres, fences, groups, robots."""
