"""Experiments with hardware in the loop: one module each, loaded by its name."""
