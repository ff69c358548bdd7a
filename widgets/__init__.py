"""Widgets: Qt pieces that know values, for plugins and the station."""
