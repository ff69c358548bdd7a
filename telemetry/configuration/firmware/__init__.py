"""Firmware: its files, what may be put on which board, and putting it there."""
