"""Flight modes: what they need, the switch that selects them, and checks of both."""
