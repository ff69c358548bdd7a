"""Identification against the truth: what `lapwing identify` finds in flights that are known."""
