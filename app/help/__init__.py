"""Manual of the station: its pages, found in a checkout or an installation, and their window."""
