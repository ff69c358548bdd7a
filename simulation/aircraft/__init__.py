"""Aircraft: their parameter files, and what follows: performance, trim, what boards know."""
