"""Plugins: one folder per capability, strangers to each other; `plugins.api` is what they share."""
