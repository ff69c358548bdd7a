"""The sheet of an aircraft: on one page what it can do, flown and solved for."""
