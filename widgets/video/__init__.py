"""Video picture widget: fitted, zoomed and panned, with an overlay. Knows values, not videos."""
