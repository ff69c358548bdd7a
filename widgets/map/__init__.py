"""Map: canvas, viewport, tiles, tracks and symbols, drawn by a painter."""
