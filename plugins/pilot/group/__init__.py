"""Several aircraft: all of them in a list, and what a chosen group of them is asked to do."""
