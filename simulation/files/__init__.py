"""Checked files: TOML and JSON from users, read key by key."""
