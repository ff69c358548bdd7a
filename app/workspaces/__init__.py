"""Workspaces: how panels stand, wanted and shown; stage, cards, areas beside each other."""
