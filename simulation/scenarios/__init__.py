"""Scenarios: scripted flights and experiments, what they measure, and whether they passed."""
