"""Vehicles: aircraft with recording, commands and the connection that keeps their link up."""
