"""Missions in files: ours, the peers', KML and GPX."""
