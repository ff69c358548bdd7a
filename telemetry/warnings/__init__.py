"""Warnings by rules: what to watch in a live flight, and how to tell it."""
