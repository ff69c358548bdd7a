"""Configuration of an aircraft: its settings, and what is set up, checked and tried by them."""
