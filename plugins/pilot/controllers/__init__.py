"""Input device view: what devices say, how they are set up, and which of them fly."""
