"""Connections: opening and closing links to aircraft."""
