"""A video's picture: fitted, zoomed and panned, with an overlay. Knows values, not videos."""
