"""Mission files: ours, the peers', KML and GPX."""
