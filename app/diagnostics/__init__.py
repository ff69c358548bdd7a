"""Diagnostics: crashes, hangs, Qt's messages, and what this machine lacks."""
