"""Saving: flights, missions and settings that were not sent, also by themselves."""
