"""Analysis of recordings: findings, summaries, spectra, step responses, computed expressions."""
