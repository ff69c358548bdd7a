"""Aircraft sheet: on one page what it can do, flown and solved for."""
