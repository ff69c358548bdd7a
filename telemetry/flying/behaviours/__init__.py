"""Behaviours: programs of the station that fly an aircraft by its sticks like another pilot."""
