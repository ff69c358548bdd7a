"""Monitoring: what the station watches of live flights: fences, warnings, incidents."""
