"""UAVObjects: their definitions by id and release, and values in packed rows."""
