"""Command line of `lapwing sim`: its options, and what they start."""
