"""The on-board side: modules that talk only through UAVObjects, behind a flight session."""
