"""Menus of the station, one module each, which returns its menu's items in their order."""
