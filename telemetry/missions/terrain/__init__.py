"""Terrain heights: from files that the user gives, or flat at home's height."""
