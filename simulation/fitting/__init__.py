"""Fitting of propeller curves to measurements on a test bench."""
