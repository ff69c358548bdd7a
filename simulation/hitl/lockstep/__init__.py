"""Lockstep: a flight controller built for a PC, flown on our clock; see ../README.md."""
