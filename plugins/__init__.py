"""Plugins: one folder per capability, strangers to each other; `plugins.api` is what they share."""

from plugins.moved_modules import find_moved_modules

find_moved_modules()
