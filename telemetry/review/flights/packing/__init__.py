"""Packed flights: a flight with all its files in one, and that opened again."""
