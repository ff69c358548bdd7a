"""The kinds of findings that this plugin has."""

from plugins.api import FindingKind

STEEP = FindingKind("steep", "Steep climb")
