"""Video synchronisation with a log, found automatically."""
